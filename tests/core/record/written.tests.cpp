// What is written stays what it was, byte for byte: one example of each record beside the line that
// an earlier version made of it. KLAB_UPDATE_DOCS=1 writes them anew; a difference that is meant
// raises the version of its protocol or format.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/files.hpp"
#include "core/build/plugin_report.hpp"
#include "core/investigate/investigation.hpp"
#include "core/journal/journal.hpp"
#include "core/record/agreement.hpp"
#include "core/record/random/agreement.hpp"
#include "core/record/results.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/wire/protocol.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;

namespace {

const std::filesystem::path written =
    std::filesystem::path(KLAB_SOURCE_DIR) / "tests/core/record/written.jsonl";

const DeviceFacts device{.name = "NVIDIA H200",
                         .chip = "GH100",
                         .compute_capability = ComputeCapability{9, 0},
                         .driver = "580.159.04",
                         .toolkit = "13.0.88",
                         .multiprocessors = 132,
                         .l2_bytes = 60 << 20,
                         .memory_bytes = 1ll << 37,
                         .shared_per_multiprocessor_bytes = 233472,
                         .registers_per_multiprocessor = 65536,
                         .memory_free_bytes = 1ll << 36,
                         .gpus = 2};
const Counters counters{{"a", {4.5, Source::measured, {}}},
                        {"b", {{}, Source::counted, missing_from("not on this chip")}}};
const LeastWork least{{{Resource::device_memory, 8e9}, {Resource::tensor_half, 1e9}}};
const KernelReport kernel{"scale(Args)", 32, 16, 8, 4, 4096};

std::vector<Gate> gates() {
  return {{.name = GateName::cause,
           .subject = "sectors",
           .outcome = Outcome::fail,
           .measured = 7.5,
           .target = target_from("<= 4.5"),
           .unit = "x",
           .source = Source::counted,
           .detail = "Seen.",
           .advice = "Do."},
          {.name = GateName::time}};
}

StallSamples samples() {
  StallSamples found{.variant = VariantName::flawed, .launches = 3, .period_cycles = 2048};
  found.dropped = 1;
  found.elsewhere = 2;
  found.buffer_full = true;
  found.pcs = {{"scale(Args)", 16, "k.cu", 12, {{"long_scoreboard", 9}}, 4},
               {"scale(Args)", {}, "", {}, {{"wait", 1}}, 0}};
  return found;
}

std::vector<Record> all_records() {
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31, 33},
                         .seed = (1ull << 63) + 1,
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out",
                         .index = 5,
                         .got = std::numeric_limits<double>::quiet_NaN(),
                         .want = 0.1,
                         .tolerance = 1e-6,
                         .got_text = "nan",
                         .wrong = 3,
                         .total = 1023,
                         .digest = "ab"};
  record::Timed timed{"time cap",
                      {"thermal"},
                      8,
                      least,
                      {{VariantName::flawed, 1e-3, 2e-5}, {VariantName::mine, {}, 0}}};
  record::DeviceSample sample{.at_s = 0.4, .held = true, .sm_clock_mhz = 1980};
  sample.power_w = 300.5;
  sample.throttle_reasons = {"power cap"};
  const TimelineEnd end{VariantName::flawed, {{0, 5, 9}}, 1, 2, {-3, 4}, false};
  TimelineEnd steps = end;
  steps.order_only = true;
  const SpanBatch spans{VariantName::flawed,
                        TrackKind::copy,
                        "Copies",
                        {"copy"},
                        {{1, 4, 0, 7, 4096, 13}, {5, 5, 0, 0, {}, {}}},
                        false};
  return {
      record::Hello{2, Backend::gpu},
      record::Device{device},
      record::Device{},
      record::Progress{"sample", 3, 40},
      record::Progress{"load", {}, {}},
      wrong,
      record::Verified{.variant = VariantName::flawed, .size = {7}, .correct = true},
      record::Sample{VariantName::flawed, 0.1 + 0.2, 1980.0, 4},
      record::Sample{VariantName::flawed, 1e-6, {}},
      timed,
      record::CounterSet{VariantName::mine, counters, 5, least},
      record::CounterSet{},
      record::FewerSteps{VariantName::mine, counters, least, {7, 4096}},
      record::LineCosts{
          VariantName::flawed,
          {{VariantName::flawed, "k.cu", 12, 640, "sectors", Source::counted, {{"loads", 600}}}}},
      record::Finding{VariantName::mine, FindingKind::shared_race, "Two.", "k", "a.cu", 7},
      record::CeilingSet{{{"dram_copy", 4.1e12}}},
      record::Stalls{samples()},
      spans,
      end,
      steps,
      record::Launched{VariantName::mine, "scale(Args)", 4096, 256, 1024},
      sample,
      record::DeviceSample{},
      record::Failure{make_error(ErrorCode::hang, "It hangs.", "Wait.", "raw \xff"),
                      VariantName::mine},
      record::Done{}};
}

std::vector<Request> all_requests() {
  Request full{.phase = Phase::time, .lab = "02-coalescing", .workload = "/w.so"};
  full.plugins = {{VariantName::flawed, "/f.so", true}, {VariantName::mine, "/c.so"}};
  full.processes = 2;
  full.gives_pages_to = 1;
  full.takes_pages = true;
  full.sizes = {{65536, 1024}, {3, 5}};
  full.beyond = {{1 << 16, 1}};
  full.huge = {{1 << 20, 7}, {7, 1 << 20}};
  full.seed = (1ull << 53) - 1;
  full.timing = TimingMode::wall;
  full.in_turns = true;
  full.metrics = {"dram_bytes"};
  full.full_checks = false;
  full.instruction_budget = 0;
  full.digest_results = true;
  full.secret = "abc";
  full.scratch = "/tmp/x";
  return {full, {}};
}

CheckResult check_result() {
  CheckResult result;
  result.lab = "02-coalescing";
  result.variant = VariantName::mine;
  result.source_digest = "cd";
  result.backend = Backend::gpu;
  result.verdict = Outcome::fail;
  result.conclusion = "Slow.";
  result.gates = gates();
  result.rungs = {{"coalesced", Outcome::fail, gates()}};
  result.score = 12.5;
  result.timing.variants[VariantName::flawed] = {
      {1e-3, 2e-3}, Interval{1.5e-3, 1e-3, 2e-3}, {1980, 1975}};
  result.timing.variants[VariantName::mine] = {};
  result.timing.ratio = Interval{2, 1.9, 2.1};
  result.timing.cliffs_delta = 0.9;
  result.timing.throttle_reasons = {"power cap"};
  result.timing.cold_l2 = false;
  result.timing.stopped_because = "time cap";
  result.counters[VariantName::mine] = counters;
  result.compiler[VariantName::mine] = {kernel};
  result.device = device;
  result.seed = 7;
  result.date = "2026-11-21T03:00:00Z";
  result.printed = {"hello", 3};
  result.errors = {make_error(ErrorCode::profiler_denied, "No counters.")};
  result.phase_seconds = {{"build", 1.5}, {"verify", 0.25}};
  return result;
}

std::vector<JournalEntry> journal_entries() {
  JournalEntry attempt = attempt_entry(check_result(), "caf\xc3\xa9", {1, -1});
  attempt.number = 3;
  attempt.reached = {"coalesced"};
  attempt.flawed = {{"sectors", 31.9}};
  JournalEntry bytes{.kind = JournalEntry::Kind::restored, .number = 4, .lab = "02-coalescing"};
  bytes.source = "caf\xe9";
  bytes.of = 3;
  return {attempt,
          bytes,
          {.kind = JournalEntry::Kind::note, .number = 5, .lab = "x", .text = "a note"},
          {.kind = JournalEntry::Kind::hint, .number = 6, .lab = "x", .hint = 2}};
}

std::vector<Investigation> investigations() {
  Investigation found{
      .lab = "02-coalescing", .backend = Backend::gpu, .device = device, .date = "now"};
  found.source_digests = {{VariantName::flawed, "ef"}};
  found.errors = {make_error(ErrorCode::canceled, "Stopped.")};
  std::vector<Investigation> all(3, found);
  KernelFacts facts{.variant = VariantName::flawed, .counters = counters, .seconds = 2e-3};
  facts.ceilings = {{"dram_copy", 4.1e12}};
  facts.stalls_pct = {{"wait", 12.5}};
  all[0].kind = InvestigationKind::stalls;
  all[0].found = StallReport{{facts, {}}, {samples()}, {}};
  all[1].kind = InvestigationKind::sweep;
  all[1].found = Sweep{"size",
                       "rows",
                       {VariantName::flawed, VariantName::optimized},
                       {"a"},
                       {{64,
                         {64, 32},
                         {{VariantName::flawed, {2, 1, 3}}},
                         {{VariantName::optimized, {4, 3, 5}}},
                         {{VariantName::flawed, counters}},
                         make_error(ErrorCode::hang, "It hangs.")},
                        {128, {128, 32}, {}, {}, {}, {}}},
                       {"A note."}};
  Roofline roofline;
  roofline.ceilings = {"NVIDIA H200", 132, "580", "now", {{"dram_copy", 4.1e12}}};
  roofline.wgmma = true;
  roofline.kernels = {{VariantName::flawed,
                       Interval{2e-3, 1e-3, 3e-3},
                       {{MemoryLevel::dram, {8e9, Source::measured, {}}}},
                       {{Arithmetic::fp32, {1e9, Source::measured, {}}}}}};
  roofline.least_bytes = 8e9;
  roofline.notes = {"A note."};
  all[2].kind = InvestigationKind::roofline;
  all[2].found = roofline;
  return all;
}

std::vector<std::string> all_lines() {
  std::vector<std::string> lines;
  for (const Record& record : all_records()) lines.push_back(encode(record));
  for (const Request& request : all_requests()) lines.push_back(encode(request));
  lines.push_back(encode(Turn{Turn::Act::verify, (1ull << 63) + 1, 25}));
  lines.push_back(encode(Turn{Turn::Act::sample, 1, 1, 3}));
  for (const JournalEntry& entry : journal_entries()) lines.push_back(encode(entry));
  lines.push_back(to_json(check_result()).dump());
  lines.push_back(to_json(CheckResult{}).dump());
  for (const Investigation& found : investigations()) lines.push_back(to_json(found).dump());
  lines.push_back(encode(PluginReport{{kernel}, "aa", {{"/k.cu", "bb"}}}));
  return lines;
}

}  // namespace

TEST_CASE("each record is written as it was", "[core][record]") {
  const auto lines = all_lines();
  if (std::getenv("KLAB_UPDATE_DOCS") != nullptr) {
    std::ofstream file(written);
    for (const std::string& line : lines) file << line << '\n';
  }
  std::ifstream file(written);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line) && count < lines.size(); ++count)
    CHECK(lines[count] == line);
  CHECK(count == lines.size());
}

TEST_CASE("what was written is read, and written again as it was", "[core][record]") {
  for (const Record& record : all_records()) {
    const auto read = decode_record(encode(record));
    REQUIRE(read);
    CHECK(encode(*read) == encode(record));
  }
  for (const Request& request : all_requests()) {
    if (request.sizes.empty()) continue;
    const auto read = decode_request(encode(request));
    REQUIRE(read);
    CHECK(encode(*read) == encode(request));
  }
  for (const JournalEntry& entry : journal_entries()) {
    const auto read = decode_journal_entry(encode(entry));
    REQUIRE(read);
    CHECK(encode(*read) == encode(entry));
  }
  for (const Investigation& found : investigations()) {
    const auto read = investigation_from(to_json(found));
    REQUIRE(read);
    CHECK(to_json(*read) == to_json(found));
  }
  const auto read = check_result_from(to_json(check_result()));
  REQUIRE(read);
  CHECK(to_json(*read) == to_json(check_result()));
}

namespace {

nlohmann::json json_in(const std::filesystem::path& path) {
  const auto text = read_file(path, 32u << 20);
  REQUIRE(text);
  return nlohmann::json::parse(*text);
}

/// Reads each record in a folder of docs/results and writes a copy. Both are compared as values: a
/// digit that an older library wrote otherwise is no difference.
template <class Read, class Write>
void rewrite_all(const std::vector<std::filesystem::path>& files, Read read, Write write) {
  const test::TemporaryFolder copies;
  CHECK_FALSE(files.empty());
  for (const auto& file : files) {
    INFO(file);
    const auto record = read(file);
    REQUIRE(record);
    const auto copy = copies.path() / "copy.json";
    REQUIRE(write(copy, *record));
    CHECK(json_in(copy) == json_in(file));
  }
}

std::vector<std::filesystem::path> json_files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("recorded results are written as they stand in the tree", "[core][record][whole]") {
  const std::filesystem::path root = KLAB_SOURCE_DIR;
  rewrite_all(json_files_in(root / "docs/results"), read_results, write_results);
  rewrite_all(recordings_in(root, Recorded::kernels), read_agreement, write_agreement);
  rewrite_all(recordings_in(root, Recorded::random_kernels), read_random_agreement,
              write_random_agreement);
}
