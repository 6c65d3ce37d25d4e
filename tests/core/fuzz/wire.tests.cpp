// Whatever comes over the wire, it is taken or refused in words of ours.
#include <catch2/catch_test_macros.hpp>

#include "core/wire/protocol.hpp"
#include "core/wire/record_reader.hpp"
#include "core/wire/remote_request.hpp"
#include "support/mutations.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {

void check_mismatch(const Error& error) {
  CHECK(error.code == ErrorCode::protocol_mismatch);
  CHECK(error.what.find("exception") == std::string::npos);
}

/// A record of each kind.
std::vector<std::string> record_examples() {
  DeviceFacts device;
  device.name = "A GPU";
  StallSamples stalls;
  SpanBatch spans;
  TimelineEnd end;
  const std::vector<Record> records = {
      record::Hello{1, Backend::gpu},
      record::Device{device},
      record::Progress{"verify", 1, 2},
      record::Verified{
          .variant = VariantName::mine, .size = {4, 4}, .seed = 7, .got = 1.5, .want = 2},
      record::Sample{VariantName::mine, 1e-3, 1980},
      record::Timed{"enough", {"power"}, 1, {}},
      record::CounterSet{VariantName::mine, {{"metric", {1.5, Source::measured, {}}}}, 2, {}},
      record::FewerSteps{
          VariantName::mine, {{"flop_fp32", {1e6, Source::counted, {}}}}, {}, {4096}},
      record::LineCosts{VariantName::mine, {{VariantName::mine, "a.cu", 3, 1.5, "sectors"}}},
      record::Finding{VariantName::mine, FindingKind::out_of_bounds, "A sentence.", "k", "a.cu", 3},
      record::CeilingSet{{{"dram_copy", 4e12}}},
      record::Stalls{stalls},
      spans,
      end,
      record::Launched{VariantName::mine, "k", 10, 256, 0},
      record::DeviceSample{.at_s = 1, .held = false, .sm_clock_mhz = 1980},
      record::Failure{make_error(ErrorCode::crash, "It crashed."), VariantName::mine},
      record::Done{}};
  std::vector<std::string> lines;
  for (const Record& record : records) lines.push_back(encode(record));
  return lines;
}

std::vector<std::string> request_examples() {
  Request request{.phase = Phase::counters,
                  .lab = "02-coalescing",
                  .workload = "/w.so",
                  .plugins = {{VariantName::flawed, "/f.so"}, {VariantName::mine, "/c.so"}},
                  .sizes = {{65536, 1024}, {1, 1}},
                  .seed = 7,
                  .metrics = {"a", "b"},
                  .instruction_budget = 1'000'000};
  return {encode(request), encode(Request{})};
}

}  // namespace

TEST_CASE("whatever a runner writes, it is a record or refused", "[core][fuzz]") {
  for_mutations(record_examples(), 4000, [](const std::string& line) {
    const auto record = decode_record(line);
    if (!record) return check_mismatch(record.error());
    const auto again = decode_record(encode(*record));
    REQUIRE(again);
    CHECK(encode(*again) == encode(*record));
  });
}

TEST_CASE("whatever a client asks, it is a request within bounds or refused", "[core][fuzz]") {
  for_mutations(request_examples(), 3000, [](const std::string& line) {
    const auto request = decode_request(line);
    if (!request) return check_mismatch(request.error());
    CHECK(request->sizes.size() <= most_sizes);
    for (const Size& size : request->sizes) CHECK_FALSE(size.empty());
    const auto again = decode_request(encode(*request));
    REQUIRE(again);
    CHECK(encode(*again) == encode(*request));
  });
}

TEST_CASE("whatever arrives from elsewhere with its libraries, it is whole or refused",
          "[core][fuzz]") {
  const TemporaryFolder folder;
  Request request{.phase = Phase::verify, .sizes = {{4}}};
  request.workload = folder.write("w.so", std::string("work\0\xff", 6)).string();
  request.plugins = {{VariantName::mine, folder.write("p.so", std::string(500, 'p')).string()}};
  const auto good = encode_remote_request(request, 20);
  REQUIRE(good);
  for_mutations({*good}, 2000, [](const std::string& bytes) {
    const auto remote = decode_remote_request(bytes);
    if (!remote) return check_mismatch(remote.error());
    CHECK(remote->time_limit_s > 0);
    for (const std::string& library : remote->libraries)
      CHECK(library.size() <= longest_library_bytes);
  });
}

TEST_CASE("whatever lines a reader takes, it ends done, broken or waiting for more",
          "[core][fuzz]") {
  std::string conversation;
  for (const std::string& line : record_examples()) conversation += line + "\n";
  for (const bool remote : {false, true})
    for_mutations({conversation}, 500, [&](const std::string& text) {
      PhaseOutcome outcome;
      const std::function<void(const Record&)> ignored;
      RecordReader reader(outcome, ignored, remote);
      std::string_view rest = text;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
        if (!reader.take(rest.substr(0, end + (rest[end] != '\n')))) break;
        rest.remove_prefix(end + 1);
      }
      if (reader.broken()) check_mismatch(*reader.broken());
      CHECK(outcome.records.size() <= record_examples().size() + text.size() / 10);
    });
}
