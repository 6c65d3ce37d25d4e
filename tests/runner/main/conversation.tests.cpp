// The protocol, spoken with the real runner: every way it can be asked wrongly, and what it says on
// a machine without a GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "core/process/process.hpp"
#include "core/wire/protocol.hpp"
#include "core/wire/remote_client.hpp"
#include "core/wire/remote_request.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Conversation {
  ProcessResult process;
  std::vector<Record> records;
};

Conversation converse(const std::string& input,
                      const std::vector<std::string>& arguments = {"--records-fd", "3"},
                      bool simulator = false) {
  Conversation conversation;
  std::vector<std::string> command = {test::tree().runner(simulator).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto on_line = [&](std::string_view line) {
    auto record = decode_record(line);
    REQUIRE(record);
    conversation.records.push_back(std::move(*record));
    return true;
  };
  const auto process = run_process(
      {.command = command, .input = input, .time_limit_s = 300, .with_records = true}, on_line);
  REQUIRE(process);
  conversation.process = *process;
  return conversation;
}

template <class T>
const T* first(const Conversation& conversation) {
  for (const Record& record : conversation.records)
    if (const T* match = std::get_if<T>(&record)) return match;
  return nullptr;
}

bool has_gpu() { return static_cast<bool>(gpu_facts(test::tree())); }

}  // namespace

TEST_CASE("arguments other than an open descriptor are a usage error", "[runner][conversation]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--records-fd"},
                                                    {"--records-fd", "99"},
                                                    {"--records-fd", "3x"},
                                                    {"--records-fd", "-1"},
                                                    {"--help", "me"}}) {
    const Conversation conversation = converse("", arguments);
    CHECK(conversation.process.exit_code == 2);
    CHECK(conversation.records.empty());
    CHECK_THAT(conversation.process.err, ContainsSubstring("--records-fd"));
  }
}

TEST_CASE("a runner behind any command answers, whether its arguments come through or not",
          "[runner][conversation]") {
  const std::string runner = test::tree().runner(true).string();
  for (const std::string& command :
       {runner, "env X=1 " + runner, "sh -c 'exec env X=1 " + runner + "'",
        "sh -c 'exec " + runner + " \"$@\"' sh"}) {
    CAPTURE(command);
    const auto outcome = run_remote_phase(command, {.phase = Phase::device}, 20, {}, nullptr);
    if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
    CHECK_FALSE(outcome.all<record::Device>().empty());
  }
}

TEST_CASE("a request that is none is answered by a failure, not by silence",
          "[runner][conversation]") {
  for (const std::string input : {"", "\n", "not json\n", "{}\n", "[1,2]\n"}) {
    const Conversation conversation = converse(input);
    CHECK(conversation.process.exit_code == 0);
    REQUIRE(conversation.records.size() == 3);
    REQUIRE(std::holds_alternative<record::Hello>(conversation.records[0]));
    CHECK(std::get<record::Hello>(conversation.records[0]).backend == Backend::gpu);
    REQUIRE(std::holds_alternative<record::Failure>(conversation.records[1]));
    CHECK(std::get<record::Failure>(conversation.records[1]).error.code ==
          ErrorCode::protocol_mismatch);
    CHECK(std::holds_alternative<record::Done>(conversation.records[2]));
  }
}

TEST_CASE("without a GPU every phase says so with a remedy and ends in good order",
          "[runner][conversation]") {
  if (has_gpu()) SKIP("this machine has a CUDA device");
  for (const Phase phase : {Phase::device, Phase::verify, Phase::time, Phase::counters,
                            Phase::trace, Phase::stalls, Phase::ceilings}) {
    Request request;
    request.phase = phase;
    request.sizes = {{1}};
    const Conversation conversation = converse(encode(request) + "\n");
    INFO(to_string(phase));
    CHECK(conversation.process.exit_code == 0);
    CHECK(conversation.process.out.empty());
    CHECK(conversation.process.err.empty());
    const auto* failure = first<record::Failure>(conversation);
    REQUIRE(failure);
    CHECK((failure->error.code == ErrorCode::no_device ||
           failure->error.code == ErrorCode::driver_too_old));
    CHECK_THAT(shell_words(failure->error.remedy), ContainsSubstring("--backend sim"));
    CHECK(std::holds_alternative<record::Done>(conversation.records.back()));
  }
}

TEST_CASE("a runner that waits loads nothing before the word to begin", "[runner][conversation]") {
  Request request{.phase = Phase::verify, .workload = "/missing.so", .sizes = {{1}}, .waits = true};
  request.plugins = {{VariantName::mine, "/missing.so"}};
  const std::string asked = encode(request) + "\n";
  const Conversation given_up = converse(asked, {"--records-fd", "3"}, true);
  CHECK(first<record::Device>(given_up));
  CHECK_FALSE(first<record::Failure>(given_up));
  CHECK(std::holds_alternative<record::Done>(given_up.records.back()));
  CHECK(first<record::Failure>(converse(asked + "\n", {"--records-fd", "3"}, true)));
}

TEST_CASE("a remote request is served over standard input and output", "[runner][conversation]") {
  Conversation conversation;
  const auto on_line = [&](std::string_view line) {
    auto record = decode_record(line);
    REQUIRE(record);
    conversation.records.push_back(std::move(*record));
    return true;
  };
  const auto input = encode_remote_request({.phase = Phase::device}, 30);
  REQUIRE(input);
  for (const std::string& text : {*input, std::string("nonsense\n"), std::string()}) {
    conversation = {};
    const auto process = run_process({.command = {test::tree().runner(false).string(), "--remote"},
                                      .input = text,
                                      .time_limit_s = 300,
                                      .records_on_output = true},
                                     on_line);
    REQUIRE(process);
    CHECK(process->exit_code == 0);
    const auto* greeting = first<record::Hello>(conversation);
    REQUIRE(greeting);
    CHECK(greeting->protocol == protocol_version);
    CHECK((first<record::Device>(conversation) || first<record::Failure>(conversation)));
    CHECK(std::holds_alternative<record::Done>(conversation.records.back()));
    if (text != *input)
      CHECK(first<record::Failure>(conversation)->error.code == ErrorCode::protocol_mismatch);
  }
}

TEST_CASE("a remote runner ends when nobody is there any more", "[runner][conversation]") {
  // The reader of its output leaves at once, its input stays open: as after a broken connection.
  const auto run =
      run_process({.command = {"sh", "-c",
                               "sleep 1000 | { " + test::tree().runner(false).string() +
                                   " --remote; echo ended >&2; kill $$; } | true"},
                   .time_limit_s = 100});
  REQUIRE(run);
  CHECK_FALSE(run->timed_out);
}

TEST_CASE("with a GPU the device phase tells its facts", "[runner][conversation][gpu]") {
  test::require_backend(Backend::gpu);
  Request request;
  request.phase = Phase::device;
  const Conversation conversation = converse(encode(request) + "\n");
  const auto* device = first<record::Device>(conversation);
  REQUIRE(device);
  CHECK_FALSE(device->facts.name.empty());
  CHECK_FALSE(device->facts.driver.empty());
  CHECK_FALSE(device->facts.simulated);
  CHECK(device->facts.compute_capability >= oldest_compute_capability);
  CHECK(device->facts.multiprocessors > 0);
}

TEST_CASE("a library that was sent is looked at where it runs", "[runner][conversation]") {
  test::require_backend(Backend::simulator);
  // It calls what no kernel file has a use for; who sends it may have left out to look.
  const Request request{.phase = Phase::verify,
                        .lab = "02-coalescing",
                        .workload = KLAB_TRESPASSER,
                        .plugins = {{VariantName::mine, KLAB_TRESPASSER}},
                        .sizes = {{1, 1}}};
  const auto outcome =
      run_remote_phase(test::tree().runner(true).string(), request, 20, {}, nullptr);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::build_failed);
  CHECK_THAT(outcome.error->what, ContainsSubstring("The kernel file calls"));
}
