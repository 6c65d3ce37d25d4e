// Recorded results, their staleness, and the tables made from them.
#include "core/record/results.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {
CheckResult run_of(const VariantName& variant, const std::string& source) {
  CheckResult run;
  run.lab = "02-coalescing";
  run.variant = variant;
  run.source_digest = sha256(source);
  run.backend = Backend::gpu;
  run.verdict = Outcome::pass;
  run.timing.ratio = Interval{7.96, 7.94, 7.98};
  run.timing.variants[VariantName::flawed] = {
      std::vector<double>(1000, 1.4e-3), Interval{1.4e-3, 1.4e-3, 1.4e-3}, {}};
  run.timing.variants[VariantName::mine] = {{1.8e-4}, Interval{1.8e-4, 1.8e-4, 1.8e-4}, {}};
  run.counters[VariantName::mine]["global_load_sectors_per_request"] = {
      variant == VariantName::flawed ? 32.0 : 4.0, Source::measured, {}};
  if (variant != VariantName::optimized) return run;
  run.rungs = {{"coalesced", Outcome::pass, {}},
               {"as fast as a copy",
                Outcome::fail,
                {{.name = GateName::time,
                  .subject = "dram_copy",
                  .measured = 68.5,
                  .target = target_from(">= 90 %")}}}};
  run.score = 93.5;
  return run;
}

RecordedResults example_results() {
  RecordedResults results;
  results.device.name = "NVIDIA H200";
  results.device.driver = "580.159.04";
  results.device.toolkit = "13.0.88";
  results.date = "2026-11-21T03:00:00Z";
  results.runs = {run_of(VariantName::flawed, flawed_kernel),
                  run_of(VariantName::optimized, optimized_kernel),
                  run_of(VariantName("wrong_nan"), "// wrong\n"),
                  run_of(VariantName("slow_copy"), "// slow\n")};
  return results;
}

}  // namespace

TEST_CASE("recorded results come back as they were written, with samples thinned",
          "[core][results]") {
  const TemporaryFolder folder;
  const auto path = results_file(folder.path(), example_results().device);
  CHECK(path == folder.path() / "docs/results/nvidia-h200.json");
  REQUIRE(write_results(path, example_results()));
  const auto results = read_results(path);
  REQUIRE(results);
  CHECK(results->device.name == "NVIDIA H200");
  CHECK(results->date == example_results().date);
  REQUIRE(results->runs.size() == 4);
  const CheckResult* run = find_run(*results, "02-coalescing", VariantName::optimized);
  REQUIRE(run != nullptr);
  CHECK(run->timing.ratio->low == 7.94);
  CHECK(run->timing.variants.at(VariantName::flawed).samples_s.size() <= most_recorded_samples);
  CHECK(run->timing.variants.at(VariantName::flawed).samples_s.size() > most_recorded_samples / 2);
  CHECK(run->counters.at(VariantName::mine).at("global_load_sectors_per_request").value == 4.0);
  REQUIRE(run->rungs.size() == 2);
  CHECK(run->rungs[0].outcome == Outcome::pass);
  CHECK(run->rungs[1].name == "as fast as a copy");
  CHECK(run->rungs[1].outcome == Outcome::fail);
  REQUIRE(run->rungs[1].gates.size() == 1);
  CHECK(run->rungs[1].gates[0].measured == 68.5);
  CHECK(run->score == 93.5);
  // What was not there stays missing.
  CHECK_FALSE(find_run(*results, "02-coalescing", VariantName::flawed)->score);
  CHECK(find_run(*results, "02-coalescing", VariantName::flawed)->rungs.empty());
}

TEST_CASE("of several recordings that of the lessons' GPU stands first, then the fullest",
          "[core][results]") {
  const TemporaryFolder folder;
  RecordedResults full = example_results(), small = full, of_the_lessons = full;
  full.device.name = "NVIDIA L4";
  small.device.name = "NVIDIA A100";
  of_the_lessons.device.name = gpu_of_the_lessons;
  for (RecordedResults* less : {&small, &of_the_lessons}) less->runs.resize(1);
  for (const RecordedResults& results : {small, full, of_the_lessons})
    REQUIRE(write_results(results_file(folder.path(), results.device), results));
  const AllResults all = load_results(folder.path());
  REQUIRE(all.good.size() == 3);
  CHECK(all.good[0].device.name == gpu_of_the_lessons);
  CHECK(all.good[1].device.name == full.device.name);
}

TEST_CASE("a file that is no record of results is refused with the reason", "[core][results]") {
  const TemporaryFolder folder;
  for (const std::string& text :
       {std::string("not json"), std::string("[]"), std::string("{\"format\":2}"),
        std::string("{\"format\":1,\"runs\":[]}"),
        std::string("{\"format\":1,\"device\":{\"name\":\"x\"},\"runs\":[7]}"),
        std::string(100000, '[')}) {
    const auto results = read_results(folder.write("results.json", text));
    CAPTURE(text.substr(0, 60));
    REQUIRE_FALSE(results);
    CHECK(results.error().code == ErrorCode::io);
  }
}

TEST_CASE("a kernel that changed since it was recorded is found", "[core][results]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  const Course course = load_course(folder.path());
  CHECK(stale_runs(example_results(), course).empty());

  folder.write("solutions/02_coalescing/optimized.cu", optimized_kernel + " ");
  auto stale = stale_runs(example_results(), course);
  REQUIRE(stale.size() == 1);
  CHECK_THAT(stale[0], ContainsSubstring("02-coalescing optimized has changed"));

  RecordedResults fewer = example_results();
  fewer.runs.pop_back();
  fewer.runs.push_back(run_of(VariantName("gone"), ""));
  stale = stale_runs(fewer, course);
  // A file of the gallery need not be recorded; what is recorded must be there.
  CHECK(stale.size() == 2);
}

TEST_CASE("a lab that was never recorded is not stale", "[core][results]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  write_lab(folder, "06_transpose");
  const Course course = load_course(folder.path());
  CHECK_FALSE(is_recorded(example_results(), course.labs[1]));
  CHECK(is_recorded(example_results(), course.labs[0]));
  CHECK(stale_runs(example_results(), course).empty());
}

TEST_CASE("figures about klab are of the kernels in this repository", "[core][results]") {
  const std::filesystem::path root = KLAB_SOURCE_DIR;
  const Course course = load_course(root);
  const auto digest_of = [&](const std::string& lab, const VariantName& variant) {
    const auto found = find_lab(course, lab);
    REQUIRE(found);
    const auto source =
        read_file(variant == VariantName::flawed ? found->flawed() : found->optimized());
    REQUIRE(source);
    return sha256(*source);
  };
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs/results/bench")) {
    CAPTURE(entry.path());
    if (entry.path().filename() == "simulator.json") continue;  // the simulator's tests look at it
    const auto text = read_file(entry.path(), 64u << 20);
    REQUIRE(text);
    const auto figures = nlohmann::json::parse(*text);
    for (const auto& [lab, digests] : figures.at("digests").items())
      for (const auto& [name, digest] : digests.items()) {
        const VariantName variant(name);
        if (variant != VariantName::flawed && variant != VariantName::optimized) continue;
        CHECK(digest == digest_of(lab, variant));
        ++compared;
      }
  }
  CHECK(compared > 10);
}

TEST_CASE("README.md holds the table of the recorded results", "[core][results]") {
  const std::filesystem::path root = KLAB_SOURCE_DIR;
  const auto readme = read_file(root / "README.md");
  REQUIRE(readme);
  const auto fresh =
      with_results(*readme, results_markdown(load_results(root).good, load_course(root)));
  REQUIRE(fresh);
  CHECK(*fresh == *readme);  // if not: ./klab course report
}

TEST_CASE("the tables tell a lab by its symptom and what was gained, not by its cause",
          "[core][results]") {
  const TemporaryFolder folder;
  const std::string later =
      replaced(example_lab_toml, "minimum_comp", "builds_on = [2]\nminimum_comp");
  write_lab(folder, "02_coalescing");
  write_lab(folder, "06_transpose", replaced(later, "\"memory\"", "\"overhead\""));
  const std::string table = results_markdown({example_results()}, load_course(folder.path()));
  CHECK_THAT(table, ContainsSubstring("| **Memory** | | |\n| 02-coalescing | *Rows and columns*: A "
                                      "sum over rows takes far longer than the bytes it reads. |"));
  CHECK_THAT(table, ContainsSubstring("| **Overhead** | | |\n| 06-transpose |"));
  CHECK_THAT(table, ContainsSubstring("it reads. | lab 02 |\n"));
  CHECK_THAT(table, ContainsSubstring("7.960x (7.940 to 7.980)"));
  CHECK(table.find("sectors") == std::string::npos);
  CHECK(table.find("Sectors") == std::string::npos);
}

TEST_CASE("the table names device and ratio, and goes between the markers", "[core][results]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  const std::string table = results_markdown({example_results()}, load_course(folder.path()));
  CHECK_THAT(table, ContainsSubstring("NVIDIA H200"));
  CHECK_THAT(table, ContainsSubstring("| 02-coalescing | 1.4 ms"));
  CHECK_THAT(table, ContainsSubstring("7.960x (7.940 to 7.980)"));

  const std::string document = "# Title\n<!-- results:begin -->\nold\n<!-- results:end -->\nrest\n";
  const auto filled = with_results(document, table);
  REQUIRE(filled);
  CHECK_THAT(*filled, ContainsSubstring("7.960x (7.940 to 7.980)"));
  CHECK(filled->find("old") == std::string::npos);
  CHECK(filled->ends_with("<!-- results:end -->\nrest\n"));
  CHECK(*with_results(*filled, table) == *filled);

  RecordedResults hostile = example_results();
  hostile.device.name = "\x1b[31mRED\x07|x";
  const std::string tame = results_markdown({hostile}, load_course(folder.path()));
  CHECK_THAT(tame, ContainsSubstring("[31mRED\\|x"));
  CHECK(tame.find_first_of("\x1b\x07") == std::string::npos);
  CHECK_FALSE(with_results("no markers", table));
}

TEST_CASE("a recording tells on which days its runs were recorded, each by its own",
          "[core][results]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  write_lab(folder, "06_transpose");
  const Course course = load_course(folder.path());
  RecordedResults results = example_results();
  CHECK(recorded_day(results, results.runs.front()) == "2026-11-21");  // the file's
  CHECK_THAT(results_markdown({results}, course), ContainsSubstring(", 2026-11-21\n"));

  results.runs.push_back(run_of(VariantName::optimized, optimized_kernel));
  results.runs.back().lab = "06-transpose";
  results.runs.back().date = "2026-11-19T23:59:59Z";
  CHECK(recorded_day(results, results.runs.back()) == "2026-11-19");
  CHECK_THAT(results_markdown({results}, course),
             ContainsSubstring(", 2026-11-19 to 2026-11-21\n"));
}

TEST_CASE("a record of more runs than a course has is refused, not worked through",
          "[core][results]") {
  const TemporaryFolder folder;
  const std::string run = R"({"lab":"02-coalescing","variant":"flawed","gates":[]})";
  std::string text = R"({"format":1,"device":{"name":"A GPU"},"runs":[)" + run;
  for (int i = 0; i < 100'000; ++i) text += "," + run;
  const auto results = read_results(folder.write("results.json", text + "]}"));
  REQUIRE_FALSE(results);
  CHECK_THAT(results.error().what, Catch::Matchers::ContainsSubstring("100001 runs"));
}
