#include "core/record/repeats.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <fmt/ranges.h>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/record/results.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {

using Json = nlohmann::json;

namespace {

/// Raised when a reader of the old format would misread the new one.
constexpr int repeats_format = 2;
constexpr std::size_t most_bytes = 8u << 20;

Error not_repeats(const std::filesystem::path& path, const std::string& why) {
  return make_error(ErrorCode::io, path.string() + " is no record of repeats: " + why + ".",
                    "Restore that file, move it away, or name another one with --output.");
}

bool is_of(const RepeatedKernel& kernel, const std::string& lab, const VariantName& variant) {
  return kernel.lab == lab && kernel.variant == variant;
}

}  // namespace

template <class Visit>
void fields(Visit& visit, RepeatedKernel& kernel) {
  visit("lab", kernel.lab);
  visit("variant", kernel.variant);
  visit("source_digest", kernel.source_digest);
  visit("checks", kernel.checks);
  visit("as_due", kernel.as_due);
  visit.may("others", kernel.others);
}

template <class Visit>
void fields(Visit& visit, Repeats& repeats) {
  visit.version("format", repeats_format, "another format");
  visit("device", repeats.device);
  visit("date", repeats.date);
  visit("kernels", repeats.kernels);
}

void Repeats::add(const CheckResult& run, const std::vector<std::string>& faults) {
  std::erase_if(kernels, [&](const RepeatedKernel& kernel) {
    return is_of(kernel, run.lab, run.variant) && kernel.source_digest != run.source_digest;
  });
  auto found = std::find_if(kernels.begin(), kernels.end(), [&](const RepeatedKernel& kernel) {
    return is_of(kernel, run.lab, run.variant);
  });
  if (found == kernels.end())
    found = kernels.insert(
        found, {.lab = run.lab, .variant = run.variant, .source_digest = run.source_digest});
  ++found->checks;
  if (faults.empty())
    ++found->as_due;
  else
    found->others.push_back(fmt::format("{}", fmt::join(faults, " ")));
}

void Repeats::join(const Repeats& other) {
  for (const RepeatedKernel& more : other.kernels) {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const RepeatedKernel& one) {
      return is_of(one, more.lab, more.variant);
    });
    if (found == kernels.end()) {
      kernels.push_back(more);
    } else if (found->source_digest == more.source_digest) {
      found->checks += more.checks;
      found->as_due += more.as_due;
      found->others.insert(found->others.end(), more.others.begin(), more.others.end());
    }
  }
  date = std::max(date, other.date);
}

int Repeats::checks_of(const std::string& lab, const VariantName& variant,
                       const std::string& source_digest) const {
  for (const RepeatedKernel& kernel : kernels)
    if (is_of(kernel, lab, variant) && kernel.source_digest == source_digest) return kernel.checks;
  return 0;
}

std::filesystem::path repeats_file(const std::filesystem::path& root, const DeviceFacts& device) {
  const auto file = results_file(root, device);
  return file.parent_path() / "repeats" / file.filename();
}

Result<Repeats> read_repeats(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return Repeats();
  const auto text = read_file(path, most_bytes);
  if (!text) return text.error();
  return json_reading::decode_line<Repeats>(
      *text, most_bytes, json_fields::whole<Repeats>,
      [&](const char* why) { return not_repeats(path, why); });
}

namespace {

/// Reads the record, changes it and replaces it, whoever else does so at the same time.
template <class Change>
Result<> change_record(const std::filesystem::path& path, Change change) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  // The folder holds the lock, because the file is replaced as a whole.
  const Descriptor folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::flock(folder.get(), LOCK_EX);
  auto repeats = read_repeats(path);
  if (!repeats) return repeats.error();
  if (Result<> changed = change(*repeats); !changed) return changed;
  const Json json = json_fields::of_fields(*repeats);
  return write_file(path, json_text(json, 1) + "\n");
}

Error not_joined(const std::filesystem::path& other, const std::string& why) {
  return make_error(ErrorCode::usage, other.string() + " is not joined: " + why + ".",
                    "Recordings of one kind of GPU are joined in the order of their dates, each "
                    "once.");
}

}  // namespace

Result<> add_repeat(const std::filesystem::path& path, const CheckResult& run,
                    const std::vector<std::string>& faults) {
  return change_record(path, [&](Repeats& repeats) -> Result<> {
    repeats.device = run.device;
    repeats.date = run.date;
    repeats.add(run, faults);
    return Ok{};
  });
}

Result<> forget_failed_repeats(const std::filesystem::path& path, const std::string& lab,
                               const VariantName& variant) {
  if (std::error_code failure; !std::filesystem::exists(path, failure)) return Ok{};
  return change_record(path, [&](Repeats& repeats) -> Result<> {
    std::erase_if(repeats.kernels, [&](const RepeatedKernel& kernel) {
      return kernel.lab == lab && kernel.variant == variant && kernel.as_due < kernel.checks;
    });
    return Ok{};
  });
}

Result<std::filesystem::path> join_repeats(const std::filesystem::path& root,
                                           const std::filesystem::path& other) {
  const auto more = read_repeats(other);
  if (!more) return more.error();
  if (more->kernels.empty()) return not_joined(other, "it holds no check");
  const auto path = repeats_file(root, more->device);
  const auto joined = change_record(path, [&](Repeats& repeats) -> Result<> {
    if (repeats.kernels.empty()) repeats.device = more->device;
    if (repeats.device.name != more->device.name)
      return not_joined(other, "it is of another GPU than " + path.string());
    if (repeats.date >= more->date)
      return not_joined(
          other, "what is recorded goes on to " + repeats.date + ", and it ends at " + more->date);
    repeats.join(*more);
    return Ok{};
  });
  if (!joined) return joined.error();
  return path;
}

}  // namespace klab
