// Whatever stands in the files that a course and a learner keep, it is read or refused: no crash,
// no wait, and what was read can be written and read again.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/build/plugin_report.hpp"
#include "core/check/machine.hpp"
#include "core/course/lab.hpp"
#include "core/investigate/investigation.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/progress.hpp"
#include "core/measure/ceilings.hpp"
#include "core/record/agreement.hpp"
#include "core/record/results.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "support/example_lab.hpp"
#include "support/mutations.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// A sentence of ours, not of a library.
void check_error(const Error& error) {
  CHECK_FALSE(error.what.empty());
  CHECK(error.what.find("exception") == std::string::npos);
}

std::vector<std::string> journal_examples() {
  JournalEntry attempt{.kind = JournalEntry::Kind::attempt,
                       .number = 3,
                       .date = "2026-11-21T03:00:00Z",
                       .lab = "02-coalescing",
                       .variant = VariantName::mine,
                       .backend = Backend::simulator,
                       .verdict = Outcome::fail,
                       .conclusion = "It is right, but slow.",
                       .ratio = Interval{2, 1.9, 2.1},
                       .source_digest = sha256("int x;\n"),
                       .seed = 7,
                       .source = "int x;\n",
                       .device = "A GPU",
                       .flawed = {{"metric", 31.9}},
                       .answers = {1, -1}};
  attempt.gates.push_back({.name = GateName::cause,
                           .subject = "metric",
                           .measured = 4.5,
                           .target = target_from("<= 4.5"),
                           .unit = "x"});
  std::vector<std::string> lines = {encode(attempt)};
  for (const auto kind :
       {JournalEntry::Kind::started, JournalEntry::Kind::note, JournalEntry::Kind::hint,
        JournalEntry::Kind::prediction, JournalEntry::Kind::restored})
    lines.push_back(encode(JournalEntry{.kind = kind,
                                        .number = 4,
                                        .lab = "02-coalescing",
                                        .of = 3,
                                        .text = "a note",
                                        .hint = 1,
                                        .answers = {0}}));
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  lines.push_back(all);
  return lines;
}

}  // namespace

TEST_CASE("whatever lab.toml holds, it is read or refused with its line", "[core][fuzz]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  for_mutations({example_lab_toml}, 500, [&](const std::string& text) {
    folder.write("labs/02_coalescing/lab.toml", text);
    const auto lab = load_lab(folder.path(), "02_coalescing");
    if (lab) {
      CHECK_FALSE(lab->sizes.timing.empty());
      CHECK_FALSE(lab->pass().causes.empty());
      return;
    }
    check_error(lab.error());
    CHECK(lab.error().what.find("lab.toml:") != std::string::npos);
  });
}

TEST_CASE("whatever the journal holds, the rest of it is read and the next entry too",
          "[core][fuzz]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  const JournalEntry mark{.kind = JournalEntry::Kind::note, .lab = "mark", .text = "after"};
  for_mutations(journal_examples(), 200, [&](const std::string& text) {
    folder.write("journal.jsonl", text);
    const auto before = journal.read();
    REQUIRE(before);
    const auto number = journal.append(mark);
    REQUIRE(number);
    const auto after = journal.read();
    REQUIRE(after);
    REQUIRE_FALSE(after->entries.empty());
    CHECK(after->entries.back().lab == "mark");
    CHECK(after->entries.back().number == *number);
    for (const JournalEntry& entry : after->entries) {
      const std::string line = encode(entry);
      const auto again = decode_journal_entry(line);
      REQUIRE(again);
      CHECK(encode(*again) == line);
    }
    (void)progress_of("02-coalescing", true, after->entries);
    for (const auto& torn : std::filesystem::directory_iterator(folder.path()))
      if (torn.path().filename().string().find(".torn-") != std::string::npos)
        std::filesystem::remove(torn.path());
  });
}

TEST_CASE("whatever a record of results holds, it is read or refused", "[core][fuzz]") {
  const TemporaryFolder folder;
  CheckResult run{.lab = "02-coalescing", .variant = VariantName::flawed};
  run.gates.push_back({.name = GateName::time, .subject = "speedup", .measured = 2.5});
  run.timing.variants[VariantName::flawed] = {{1e-3, 2e-3}, Interval{1e-3, 1e-3, 2e-3}, {1980}};
  run.timing.ratio = Interval{2, 1.9, 2.1};
  run.counters[VariantName::flawed]["metric"] = {1.5, Source::measured, {}};
  run.compiler[VariantName::flawed] = {{.kernel = "k", .registers = 32}};
  run.errors.push_back(make_error(ErrorCode::crash, "It crashed."));
  RecordedResults results{.date = "2026-11-21T03:00:00Z", .runs = {run}};
  results.device.name = "A GPU";
  REQUIRE(write_results(folder.path() / "good.json", results));
  for_mutations({folder.read("good.json")}, 300, [&](const std::string& text) {
    const auto read = read_results(folder.write("results.json", text));
    if (!read) return check_error(read.error());
    REQUIRE(write_results(folder.path() / "again.json", *read));
    CHECK(read_results(folder.path() / "again.json"));
  });
}

TEST_CASE("whatever a report beside a library holds, it is read as it was written or not at all",
          "[core][fuzz]") {
  const PluginReport good{.kernels = {{.kernel = "k<int>", .registers = 32}},
                          .library_digest = sha256("library"),
                          .inputs = {{"/a/b.cu", sha256("source")}}};
  for_mutations({encode(good)}, 3000, [&](const std::string& text) {
    if (const auto report = decode_plugin_report(text)) {
      const auto again = decode_plugin_report(encode(*report));
      REQUIRE(again);
      CHECK(encode(*again) == encode(*report));
    }
    (void)parse_dependencies(text);
  });
}

TEST_CASE("whatever the files of ceilings and of the device hold, they are read or refused",
          "[core][fuzz]") {
  const TemporaryFolder folder;
  DeviceFacts device;
  device.name = "A GPU";
  device.driver = "580.1";
  device.multiprocessors = 132;
  REQUIRE(save_ceilings(folder.path(), device, "2026-11-21", {{"dram_copy", 4e12}}));
  const std::string name = ceilings_file(folder.path(), device).filename().string();
  for_mutations({folder.read(name)}, 500, [&](const std::string& text) {
    folder.write(name, text);
    const auto ceilings = load_ceilings(folder.path(), device);
    if (!ceilings) return check_error(ceilings.error());
    for (const auto& [name, value] : ceilings->values) CHECK(value > 0);
  });
}

TEST_CASE("whatever a recording says was found, it is read or refused", "[core][fuzz]") {
  std::vector<std::string> examples;
  for (const char* name : {"stalls.jsonl", "timeline.jsonl"}) {
    std::ifstream file(std::string(KLAB_SOURCE_DIR "/tests/ui/data/") + name);
    for (std::string line; std::getline(file, line);)
      if (const auto json = nlohmann::json::parse(line); json.contains("investigation"))
        examples.push_back(json["investigation"].dump());
  }
  REQUIRE(examples.size() >= 2);
  for_mutations(examples, 400, [](const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) return;
    const auto found = investigation_from(json);
    if (!found) return check_error(found.error());
    CHECK(investigation_from(to_json(*found)));
  });
}

TEST_CASE("whatever a recorded agreement holds, it is read or refused", "[core][fuzz]") {
  const TemporaryFolder folder;
  AgreementKernel kernel{.kernel = "02-coalescing",
                         .variant = VariantName::flawed,
                         .sources = {{"kernels/02_coalescing/flawed.cu", sha256("source")}},
                         .simulator_digest = sha256("result"),
                         .gpu_digest = sha256("result"),
                         .simulator_correct = true,
                         .gpu_correct = true};
  kernel.rows = {{"dram_bytes", Source::modelled, 1e6, 1.1e6, "Known."},
                 {"kernel_launches", Source::counted, 1, std::nullopt, "Not counted."}};
  Agreement agreement{.date = "2026-11-21T03:00:00Z", .kernels = {kernel}};
  agreement.device.name = "A GPU";
  REQUIRE(write_agreement(folder.path() / "good.json", agreement));
  REQUIRE(read_agreement(folder.path() / "good.json"));
  for_mutations({folder.read("good.json")}, 500, [&](const std::string& text) {
    const auto read = read_agreement(folder.write("agreement.json", text));
    if (!read) return check_error(read.error());
    REQUIRE(write_agreement(folder.path() / "again.json", *read));
    CHECK(read_agreement(folder.path() / "again.json"));
    (void)agreement_markdown({}, {*read});
  });
}

TEST_CASE("whatever is kept of the device, it is taken over or asked for again", "[core][fuzz]") {
  const TemporaryFolder folder;
  const Tree tree{.root = folder.path(), .build = folder.path() / "build"};  // without a runner
  std::string key;
  for (const char* path : {"/proc/sys/kernel/random/boot_id", "/proc/driver/nvidia/version"})
    if (const auto text = read_file(path, 1 << 16)) key += *text;
  DeviceFacts device;
  device.name = "A GPU";
  device.compute_capability = ComputeCapability{9, 0};
  device.multiprocessors = 132;
  device.gpus = 1;
  const auto keep = [&](const std::string& facts) {
    folder.write("build/cache/device.json",
                 "{\"key\":" + nlohmann::json(key).dump() + ",\"facts\":" + facts + "}");
  };
  const std::string good = to_json(device).dump();
  keep(good);
  REQUIRE(gpu_facts(tree));
  for_mutations({good}, 300, [&](const std::string& facts) {
    keep(facts);
    const auto found = gpu_facts(tree);
    if (!found) return check_error(found.error());
    CHECK(found->compute_capability);
    CHECK(device_from(nlohmann::json::parse(to_json(*found).dump())).name == found->name);
  });
}
