// The course: all labs of a repository, finding one by name, and the kernel files of one.
#include <algorithm>
#include <cctype>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/quantity.hpp"

namespace klab {
namespace {

/// Names of the entries of a folder in order; empty if there is none.
std::vector<std::filesystem::path> entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// True if the name is the lab's number, slug, id or folder.
bool names_exactly(const std::string& folder, const std::string& name) {
  std::string id = folder;
  std::replace(id.begin(), id.end(), '_', '-');
  const std::string number = id.substr(0, 2);
  return name == folder || name == id || name == number || "0" + name == number ||
         (id.size() > 3 && name == id.substr(3));
}

}  // namespace

Course load_course(const std::filesystem::path& root) {
  Course course;
  for (const std::filesystem::path& path : entries(root / "labs")) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) continue;
    const std::string folder = path.filename().string();
    const bool meant = std::isdigit(static_cast<unsigned char>(folder.front())) ||
                       std::filesystem::exists(path / "lab.toml", ignored);
    if (!meant) continue;
    auto lab = load_lab(root, folder);
    if (lab && !course.labs.empty() && course.labs.back().number == lab->number)
      lab = make_error(ErrorCode::bad_lab,
                       "labs/" + folder + "/lab.toml:1: the number " + folder.substr(0, 2) +
                           " is taken by labs/" + course.labs.back().folder + ".",
                       "Give the folder a number of its own.");
    if (lab) {
      course.labs.push_back(std::move(*lab));
    } else {
      // find_lab() needs to know which lab this was.
      lab.error().detail = folder;
      course.broken.push_back(lab.error());
    }
  }
  return course;
}

std::vector<std::string> categories(const Course& course) {
  std::vector<std::string> names;
  for (const Lab& lab : course.labs)
    if (std::find(names.begin(), names.end(), lab.category) == names.end())
      names.push_back(lab.category);
  return names;
}

Result<Lab> find_lab(const Course& course, const std::string& asked) {
  const std::string name = lowered(asked);
  for (const Lab& lab : course.labs)
    if (names_exactly(lab.folder, name)) return lab;
  for (const Error& error : course.broken)
    if (error.detail.size() > 3 && names_exactly(error.detail, name)) return error;

  std::vector<std::string> slugs, matching;
  for (const Lab& lab : course.labs) {
    slugs.push_back(lab.slug);
    if (!name.empty() && (lab.slug.starts_with(name) || lab.id.starts_with(name)))
      matching.push_back(lab.slug);
  }
  if (matching.size() == 1)
    return *std::find_if(course.labs.begin(), course.labs.end(),
                         [&](const Lab& lab) { return lab.slug == matching.front(); });
  const std::string shown = in_quotes(asked);
  if (matching.size() > 1)
    return make_error(ErrorCode::usage, shown + " names more than one lab.",
                      "Write " + join_or(matching) + ".");
  const auto near = near_names(name, slugs);
  return make_error(ErrorCode::usage, "There is no lab called " + shown + ".",
                    near.empty() ? "Run " + Act{Verb::list_labs} + " to see the labs."
                                 : "Did you mean " + join_or(near) + "? " + Act{Verb::list_labs} +
                                       " shows them all.");
}

std::set<std::string> cause_metrics(const Lab& lab) {
  std::set<std::string> names;
  for (const Rung& rung : lab.rungs)
    for (const CauseTarget& cause : rung.causes) names.insert(cause.metric);
  return names;
}

std::vector<Variant> variants(const Lab& lab) {
  std::vector<Variant> found;
  std::error_code ignored;
  const auto add = [&](const std::filesystem::path& path) {
    if (std::filesystem::is_regular_file(path, ignored))
      found.push_back({VariantName(path.stem().string()), path});
  };
  add(lab.flawed());
  add(lab.optimized());
  for (const std::string prefix : {"wrong_", "slow_", "deceit_", "fair_", "stretch_"})
    for (const std::filesystem::path& path : entries(lab.solutions()))
      if (path.extension() == ".cu" && path.filename().string().starts_with(prefix)) add(path);
  return found;
}

std::string foundations(const Lab& lab) {
  std::string words;
  for (const int number : lab.builds_on)
    words += std::string(words.empty() ? (lab.builds_on.size() > 1 ? "labs " : "lab ") : ", ") +
             (number < 10 ? "0" : "") + std::to_string(number);
  return words;
}

std::string to_string(const Size& size) {
  std::string text;
  for (const std::int64_t extent : size) {
    if (!text.empty()) text += " x ";
    text += format_count(static_cast<double>(extent));
  }
  return text;
}

}  // namespace klab
