// A new lab's files: lab.toml and prose from scratch, code from a lab that is there.
#include "core/admission/skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/base/text/pattern.hpp"

namespace klab {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::pair<fs::path, std::string>>;  ///< path from the root, content

std::string mark(std::string_view what) {
  return std::string(author_mark) + ": " + std::string(what);
}

std::string toml_text(std::string_view text) { return "\"" + std::string(text) + "\""; }
std::string entry(const std::string& key, const std::string& value) {
  return key + " = " + value + "\n";
}
std::string said(const std::string& key, std::string_view what) {
  return entry(key, toml_text(mark(what)));
}

template <class Items, class Text>
std::string list_of(const Items& items, Text text) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ", ") + text(item);
  return "[" + list + "]";
}

std::string numbers(const std::vector<std::int64_t>& values) {
  return list_of(values, [](std::int64_t value) { return std::to_string(value); });
}

std::string head_toml(const Lab& like) {
  std::string toml;
  if (like.kind == LabKind::measurement) toml += "kind = \"measurement\"\n";
  if (like.kind == LabKind::mystery) toml += "kind = \"mystery\"\n";
  toml +=
      said("title", "the symptom in a few words") + entry("category", toml_text(like.category)) +
      said("summary", "one sentence with the symptom, not the cause") +
      entry("concepts", "[" + toml_text(mark("what the lab is about, in a few words each")) + "]") +
      entry("minimum_compute_capability",
            std::to_string(like.minimum_compute_capability.number())) +
      entry("gpus", std::to_string(like.gpus)) +
      entry("time_limit_s", fmt::to_string(like.time_limit_s)) +
      entry("timing", like.timing == TimingMode::wall ? "\"wall\"" : "\"device\"") +
      (like.processes > 1 ? entry("processes", std::to_string(like.processes)) : "") +
      entry("dimensions", list_of(like.dimensions, toml_text)) + "hints = [\n";
  for (const char* hint : {"where the symptom shows", "what the hardware does there",
                           "the shape of the code that does it otherwise"})
    toml += "  " + toml_text(mark(hint)) + ",\n";
  toml += "]\n";
  if (like.build.architecture)
    toml += "\n[build]\n" + entry("architecture", toml_text(to_string(*like.build.architecture)));
  if (!like.build.link.empty())
    toml += (like.build.architecture ? "" : "\n[build]\n") +
            entry("link", list_of(like.build.link, toml_text));
  return toml;
}

std::string sizes_toml(const LabSizes& sizes) {
  std::string toml = "\n[sizes]\n" + entry("timing", numbers(sizes.timing)) +
                     entry("checking", list_of(sizes.checking, numbers));
  if (sizes.simulator) toml += entry("simulator", numbers(*sizes.simulator));
  if (const auto& drawn = sizes.drawn) {
    toml += "drawn = { highest = " + numbers(drawn->highest) +
            ", most_elements = " + std::to_string(drawn->most_elements);
    if (drawn->most_simulated_elements)
      toml += ", most_simulated_elements = " + std::to_string(*drawn->most_simulated_elements);
    toml += " }\n";
  }
  if (!sizes.beyond.empty()) toml += entry("beyond", list_of(sizes.beyond, numbers));
  if (!sizes.huge.empty()) toml += entry("huge", list_of(sizes.huge, numbers));
  return toml;
}

std::string question_toml() {
  return "\n[[prediction]]\n" + said("question", "what to guess before anything is measured") +
         entry("choices", list_of(std::array{"the right one", "a plausible one", "another one"},
                                  [](const char* choice) { return toml_text(mark(choice)); })) +
         "answer = 0\n" + said("because", "why it is so");
}

std::string rung_toml(const Rung& rung, bool is_pass) {
  std::string toml =
      "\n[[rung]]\n" + said("name", is_pass ? "what a pass is, in a few words"
                                            : "what the stretch goal is, in a few words");
  for (const CauseTarget& cause : rung.causes) {
    toml += "\n[[rung.cause]]\n" + entry("metric", toml_text(cause.metric)) +
            entry("target", toml_text(to_string(cause.target)));
    if (cause.flawed) toml += entry("flawed", toml_text(to_string(*cause.flawed)));
    toml += said("why", "what the number says of a run");
  }
  if (!rung.time.speedup && !rung.time.ceiling && !rung.time.at_most_s) return toml;
  toml += "\n# " +
          mark("what was measured, on which GPU: half-measures, plain fixes, the solution") +
          "\n[rung.time]\n";
  if (rung.time.speedup) toml += entry("speedup", fmt::to_string(*rung.time.speedup));
  if (rung.time.at_most_s) toml += entry("at_most_s", fmt::to_string(*rung.time.at_most_s));
  if (rung.time.ceiling)
    toml += entry("ceiling", "{ of = " + toml_text(rung.time.ceiling->of) + ", at_least = " +
                                 fmt::to_string(rung.time.ceiling->at_least) + " }");
  return toml;
}

std::string lab_toml(const Lab& like) {
  std::string toml = head_toml(like) + sizes_toml(like.sizes) + question_toml();
  for (const Parameter& parameter : like.parameters)
    toml += "\n[[parameter]]\n" + entry("name", toml_text(parameter.name)) +
            entry("define", toml_text(parameter.define)) +
            entry("values", numbers(parameter.values)) +
            entry("default", std::to_string(parameter.fallback));
  for (const Rung& rung : like.rungs) toml += rung_toml(rung, &rung == &like.rungs.front());
  return toml;
}

std::string lesson_text() {
  return "# {{title}}\n\n" + mark("what the kernel does, and the symptom") +
         "\n\n## What happens in the hardware\n\n" + mark("ask first, then tell") +
         "\n\n## How to see it\n\n" + mark("the counter, and the commands that show it") +
         "\n\n## Your task\n\nEdit `{{file}}`. " + mark("what passes") + "\n";
}

std::string explanation_text() {
  return "# Why it works\n\n" + mark("why the fix works") + "\n\n## What limits it next\n\n" +
         mark("which ceiling it is at now, and what an expert would try") + "\n";
}

/// Files of the gallery: name, first line, and whether they begin as the solution does.
struct Example {
  const char* name;
  const char* promise;
  const char* why;
  bool from_solution;
};
constexpr Example gallery[] = {
    {"wrong_first_try", "Rejected by: cause", "what a learner tries first, and why it fails",
     false},
    {"wrong_cheat", "Rejected by: correct", "a way to be fast without the work", false},
    {"slow_half_measure", "Right, but fails: time", "the flaw is gone, something else is slow",
     true},
    {"fair_first", "Ends in: pass", "the fix as a learner writes it after the last hint", true},
    {"fair_second", "Ends in: pass", "the same by another hand", true}};

/// Everything that the new lab begins with, by its path from the root.
Result<Texts> texts_of(const Lab& like, const std::string& folder) {
  const auto contract = read_file(like.contract()), workload = read_file(like.workload()),
             flawed = read_file(like.flawed()), solution = read_file(like.optimized());
  for (const auto* text : {&contract, &workload, &flawed, &solution})
    if (!*text) return text->error();
  const std::string from = " (as in " + like.id + ")\n";
  const fs::path lab = fs::path("labs") / folder, solutions = fs::path("solutions") / folder;
  Texts texts = {
      {lab / "contract.cuh", "// " + mark("what is computed, of what") + from + *contract},
      {lab / "workload.cu", "// " + mark("inputs, reference, tolerance") + from + *workload},
      {fs::path("kernels") / folder / "flawed.cu",
       "// " + mark("correct, and slow for one reason") + from + *flawed},
      {solutions / "optimized.cu", "// " + mark("what an expert would sign") + from + *solution}};
  for (const Example& example : gallery)
    texts.emplace_back(solutions / (std::string(example.name) + ".cu"),
                       std::string("// ") + example.promise + " — " + mark(example.why) + "\n" +
                           (example.from_solution ? *solution : *flawed));
  texts.emplace_back(lab / "lab.toml", lab_toml(like));
  texts.emplace_back(lab / "lesson.md", lesson_text());
  texts.emplace_back(solutions / "explanation.md", explanation_text());
  return texts;
}

Result<> is_free(const fs::path& root, int number, const std::string& slug) {
  static const Pattern words("[a-z0-9]+(_[a-z0-9]+)*");
  if (number < 1 || number > 99 || slug.size() > 60 || !words.match(slug))
    return make_error(ErrorCode::usage,
                      "A lab has a number from 1 to 99 and a name of small letters and digits.",
                      "For example: `./klab course new 30 shared_atomics --like 12`.");
  const Course course = load_course(root);
  for (const Lab& lab : course.labs)
    if (lab.number == number || lab.folder.substr(3) == slug)
      return make_error(ErrorCode::usage, "There is " + lab.id + " already.",
                        "Choose another number and name.");
  return Ok{};
}

}  // namespace

Result<std::vector<fs::path>> make_skeleton(const Lab& like, int number, const std::string& asked) {
  std::string slug = asked;
  std::replace(slug.begin(), slug.end(), '-', '_');
  if (auto free = is_free(like.root, number, slug); !free) return free.error();
  const auto texts = texts_of(like, (number < 10 ? "0" : "") + std::to_string(number) + "_" + slug);
  if (!texts) return texts.error();
  std::vector<fs::path> made;
  for (const auto& [path, text] : *texts) {
    if (auto written = write_new_file(like.root / path, text); !written) return written.error();
    made.push_back(path);
  }
  return made;
}

Faults unwritten(const Lab& lab) {
  Faults faults;
  std::error_code ignored;
  for (const fs::path& folder : {lab.lab_folder(), lab.flawed().parent_path(), lab.solutions()}) {
    std::vector<fs::path> paths;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
         it.increment(ignored))
      paths.push_back(it->path());
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      const auto text = read_file(path, 1u << 20);
      if (!text) continue;
      for (std::size_t at = 0; (at = text->find(author_mark, at)) != std::string::npos; ++at) {
        const auto line =
            1 + std::count(text->begin(), text->begin() + static_cast<long>(at), '\n');
        const std::string rest = text->substr(at, text->find_first_of("\"\n", at) - at);
        faults.push_back(path.lexically_relative(lab.root).string() + ":" + std::to_string(line) +
                         ": " + rest);
      }
    }
  }
  return faults;
}

}  // namespace klab
