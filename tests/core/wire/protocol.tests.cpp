// Records survive the wire; anything else is refused with a sentence.
#include "core/wire/protocol.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/verdict/json/check_result_json.hpp"

using namespace klab;

namespace {
template <class T>
T round_trip(const T& value) {
  const std::string line = encode(Record(value));
  CHECK(line.find('\n') == std::string::npos);
  const auto decoded = decode_record(line);
  REQUIRE(decoded);
  REQUIRE(std::holds_alternative<T>(*decoded));
  return std::get<T>(*decoded);
}
}  // namespace

TEST_CASE("a name that only another version knows spoils no record", "[core][protocol]") {
  const auto hello = decode_record(R"({"type":"hello","protocol":3,"backend":"tpu"})");
  REQUIRE(hello);
  CHECK_FALSE(std::get<record::Hello>(*hello).backend);
  CHECK_FALSE(decode_record(R"({"type":"hello","protocol":3})"));
  const auto finding = decode_record(
      R"({"type":"finding","variant":"candidate","kind":"tile_race","message":"Two.",)"
      R"("kernel":"k","file":"a.cu","line":7})");
  REQUIRE(finding);
  CHECK(std::get<record::Finding>(*finding).kind == FindingKind::unknown);
  const auto result = check_result_from({{"lab", "x"}, {"gates", {}}, {"backend", "tpu"}});
  REQUIRE(result);
  CHECK_FALSE(result->backend);
}

TEST_CASE("every kind of record survives encoding and decoding", "[core][protocol]") {
  CHECK(round_trip(record::Hello{protocol_version, Backend::gpu}).backend == Backend::gpu);
  CHECK(round_trip(record::Progress{"sample", 3, 40}).index == 3);
  CHECK_FALSE(round_trip(record::Progress{"load", {}, {}}).index);
  CHECK(round_trip(record::Sample{VariantName::flawed, 0.1 + 0.2, 1980.0}).seconds == 0.1 + 0.2);
  CHECK_FALSE(round_trip(record::Sample{VariantName::flawed, 1e-6, {}}).sm_clock_mhz);
  CHECK(round_trip(record::Timed{"time cap", {"thermal"}, 8, {}}).launches_per_sample == 8);
  CHECK(round_trip(record::CeilingSet{{{"dram_copy", 4.1e12}}}).values.at("dram_copy") == 4.1e12);
  CHECK(round_trip(
            record::Finding{VariantName::mine, FindingKind::shared_race, "Two.", "k", "a.cu", 7})
            .line == 7);
  CHECK(round_trip(record::Failure{make_error(ErrorCode::hang, "It hangs."), VariantName::mine})
            .error.code == ErrorCode::hang);
  round_trip(record::Done{});
  const auto costs = round_trip(record::LineCosts{
      VariantName::flawed,
      {{VariantName::flawed, "k.cu", 12, 640, "sectors", Source::counted, {{"loads", 600}}}}});
  REQUIRE(costs.lines.size() == 1);
  CHECK(costs.lines[0].variant == VariantName::flawed);
  CHECK(costs.lines[0].line == 12);
  CHECK(costs.lines[0].value == 640);
  CHECK(costs.lines[0].source == Source::counted);
  CHECK(costs.lines[0].by_reason.at("loads") == 600);

  const auto facts = round_trip(record::Device{{.name = "NVIDIA H200",
                                                .compute_capability = ComputeCapability{9, 0}}})
                         .facts;
  CHECK(facts.name == "NVIDIA H200");
  CHECK(facts.compute_capability == ComputeCapability{9, 0});
  CHECK_FALSE(facts.memory_free_bytes);

  const auto counters = round_trip(
      record::CounterSet{VariantName::mine,
                         {{"a", {4.5, Source::measured, {}}},
                          {"b", {{}, Source::measured, missing_from("not on this chip")}}},
                         5});
  CHECK(counters.values.at("a").value == 4.5);
  CHECK_FALSE(counters.values.at("b").value);
  CHECK(counters.values.at("b").reason == missing_from("not on this chip"));
  CHECK(counters.least == LeastWork{});
  const LeastWork least{{{Resource::device_memory, 8e9}, {Resource::tensor_half, 1e9}}};
  CHECK(round_trip(record::CounterSet{VariantName::flawed, {}, {}, least}).least == least);
  CHECK(round_trip(record::Timed{"time cap", {}, 1, least}).least == least);

  const auto launched =
      round_trip(record::Launched{VariantName::mine, "scale(Args)", 4096, 256, 1024});
  CHECK(launched.block_threads == 256);
  CHECK(launched.dynamic_shared_bytes == 1024);
  record::DeviceSample sample{.at_s = 0.4, .sm_clock_mhz = 1980};
  sample.throttle_reasons = {"power cap"};
  const auto seen = round_trip(sample);
  CHECK(seen.sm_clock_mhz == 1980);
  CHECK_FALSE(seen.power_w);
  CHECK(seen.throttle_reasons == sample.throttle_reasons);
  CHECK(round_trip(record::DeviceSample{.held = true}).held);
}

TEST_CASE("a value that is not finite travels as text, never as a number", "[core][protocol]") {
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31, 33},
                         .seed = 7,
                         .problem = ResultProblem::wrong_value};
  wrong.got = std::nan("");
  wrong.got_text = "nan";
  const auto decoded = round_trip(wrong);
  CHECK_FALSE(decoded.got);
  CHECK(decoded.got_text == "nan");
  CHECK(decoded.size == Size{31, 33});
}

TEST_CASE("text from a learner's program need not be valid UTF-8", "[core][protocol]") {
  const auto decoded =
      round_trip(record::Failure{make_error(ErrorCode::crash, "bad \xff\xfe bytes"), {}});
  CHECK(decoded.error.what.starts_with("bad "));
}

TEST_CASE("a request survives encoding and decoding", "[core][protocol]") {
  Request request{.phase = Phase::time, .lab = "02-coalescing", .workload = "/w.so"};
  request.plugins = {{VariantName::flawed, "/f.so"}, {VariantName::mine, "/c.so"}};
  request.sizes = {{65536, 1024}};
  request.seed = (1ull << 53) - 1;
  request.timing = TimingMode::wall;
  request.metrics = {"dram_bytes"};
  const auto decoded = decode_request(encode(request));
  REQUIRE(decoded);
  CHECK(decoded->phase == Phase::time);
  CHECK(decoded->plugins.at(1).library == "/c.so");
  CHECK(decoded->sizes == request.sizes);
  CHECK(decoded->seed == request.seed);
  CHECK(decoded->timing == TimingMode::wall);
  // One device is what every runner gives; only a second one is asked for.
  CHECK(encode(request).find("gpus") == std::string::npos);
  CHECK_FALSE(decoded->gpus);
  request.gpus = 2;
  CHECK(decode_request(encode(request))->gpus == 2);
}

TEST_CASE("a turn survives encoding and decoding, and an impossible one is refused",
          "[core][protocol]") {
  const auto decoded = decode_turn(encode(Turn{Turn::Act::verify, (1ull << 63) + 1, 25}));
  REQUIRE(decoded);
  CHECK(decoded->act == Turn::Act::verify);
  CHECK(decoded->seed == (1ull << 63) + 1);
  CHECK(decoded->launches == 25);
  for (const std::string line :
       {"", "{}", R"({"act":"rest","seed":1,"launches":1})",
        R"({"act":"sample","seed":1,"launches":0})", R"({"act":"sample","seed":"x","launches":1})"})
    CHECK_FALSE(decode_turn(line));
}

TEST_CASE("what is not a record of this version is refused, whatever it is", "[core][protocol]") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& line :
       {std::string(), std::string("hello"), std::string("[1,2]"), std::string("{}"),
        std::string("{\"type\":\"nonsense\"}"),
        std::string("{\"type\":\"sample\",\"variant\":3,\"seconds\":\"x\"}"),
        std::string("{\"type\":\"sample\""), deep, std::string("\xff\xff"),
        std::string(longest_record_bytes + 1, ' ')}) {
    const auto decoded = decode_record(line);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error().code == ErrorCode::protocol_mismatch);
    CHECK_FALSE(decoded.error().remedy.empty());
  }
  CHECK_FALSE(decode_request("{\"protocol\":999,\"phase\":\"time\"}"));
}

TEST_CASE("a request with a field of another type is refused in words of ours",
          "[core][protocol]") {
  const nlohmann::json good = nlohmann::json::parse(encode(Request{.sizes = {{4, 4}}}));
  for (const auto& [key, value] : good.items())
    for (const nlohmann::json& other :
         {nlohmann::json(), nlohmann::json(true), nlohmann::json(-1.5), nlohmann::json("text"),
          nlohmann::json::array({nullptr}), nlohmann::json::object()}) {
      nlohmann::json changed = good;
      changed[key] = other;
      const auto request = decode_request(changed.dump());
      if (request) continue;  // a value that it can be, or one that stands for absent
      CAPTURE(key, other.dump(), request.error().what);
      CHECK(request.error().code == ErrorCode::protocol_mismatch);
      CHECK(request.error().what.find("exception") == std::string::npos);
    }
}

TEST_CASE("sizes that no lab can name are refused", "[core][protocol]") {
  const auto with_sizes = [](std::vector<Size> sizes) {
    return decode_request(encode(Request{.sizes = std::move(sizes)}));
  };
  CHECK(with_sizes({}));
  CHECK(with_sizes({{1}, {longest_extent}}));
  CHECK_FALSE(with_sizes({{}}));
  CHECK_FALSE(with_sizes({{1}, {}}));
  CHECK_FALSE(with_sizes({{1}, {1, 2}}));
  CHECK_FALSE(with_sizes({{0}}));
  CHECK_FALSE(with_sizes({{-5}}));
  CHECK_FALSE(with_sizes({{longest_extent + 1}}));
  CHECK_FALSE(with_sizes({Size(1000, 1)}));
  CHECK_FALSE(with_sizes(std::vector<Size>(100'000, Size{1})));
}
