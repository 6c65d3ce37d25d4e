// What travels to a runner elsewhere arrives whole or is refused.
#include "core/wire/remote_request.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A request with a workload and two plugins, of which one is sent twice.
struct Sample {
  test::TemporaryFolder folder;
  Request request{.phase = Phase::verify, .lab = "02-coalescing"};
  std::string workload = std::string("work\0\n{}\xff", 10), plugin = std::string(70'000, 'p');

  Sample() {
    request.workload = folder.write("w.so", workload).string();
    const std::string library = folder.write("p.so", plugin).string();
    request.plugins = {{VariantName::flawed, library}, {VariantName::mine, library}};
    request.sizes = {{3, 5}};
  }
  std::string encoded() const { return *encode_remote_request(request, 20); }
};

std::string refusal(const std::string& bytes) {
  const auto decoded = decode_remote_request(bytes);
  REQUIRE_FALSE(decoded);
  CHECK(decoded.error().code == ErrorCode::protocol_mismatch);
  CHECK_FALSE(decoded.error().remedy.empty());
  return decoded.error().what;
}

std::string with(std::string bytes, const std::string& from, const std::string& to) {
  const std::size_t at = bytes.find(from);
  REQUIRE(at != std::string::npos);
  return bytes.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a request arrives with its libraries, each once", "[core][remote]") {
  const Sample sample;
  const std::string bytes = sample.encoded();
  CHECK(bytes.find(sample.folder.path().string()) == std::string::npos);  // no path travels
  const auto remote = decode_remote_request(bytes);
  REQUIRE(remote);
  CHECK(remote->time_limit_s == 20);
  REQUIRE(remote->libraries.size() == 2);
  const test::TemporaryFolder there;
  const auto request = unpack(*remote, there.path());
  REQUIRE(request);
  CHECK(request->lab == "02-coalescing");
  CHECK(request->sizes == sample.request.sizes);
  CHECK(*read_file(request->workload) == sample.workload);
  CHECK(*read_file(request->plugins[1].library) == sample.plugin);
  CHECK(request->plugins[0].library == request->plugins[1].library);
}

TEST_CASE("a request without libraries arrives too", "[core][remote]") {
  const auto bytes = encode_remote_request({.phase = Phase::device}, 30);
  REQUIRE(bytes);
  const auto remote = decode_remote_request(*bytes);
  REQUIRE(remote);
  CHECK(remote->request.phase == Phase::device);
  CHECK(remote->libraries.empty());
}

TEST_CASE("a library that is not there is told before anything is sent", "[core][remote]") {
  Sample sample;
  sample.request.workload = (sample.folder.path() / "absent.so").string();
  const auto bytes = encode_remote_request(sample.request, 20);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().code == ErrorCode::io);
}

TEST_CASE("whatever else arrives is refused", "[core][remote]") {
  const Sample sample;
  const std::string good = sample.encoded();
  CHECK_THAT(refusal(""), ContainsSubstring("missing"));
  CHECK_THAT(refusal("{}\n{}\n"), ContainsSubstring("first line"));
  CHECK_THAT(refusal("[]\n" + good), ContainsSubstring("first line"));
  CHECK_THAT(refusal(good.substr(0, good.size() - 1)), ContainsSubstring("cut off"));
  CHECK_THAT(refusal(good + "x"), ContainsSubstring("follows"));
  CHECK_THAT(refusal(with(good, "pppp", "pppq")), ContainsSubstring("changed on its way"));
  CHECK_THAT(refusal(with(good, "\"bytes\":70000", "\"bytes\":70000000000")),
             ContainsSubstring("too long"));
  CHECK_THAT(refusal(with(good, "\"bytes\":70000", "\"bytes\":-1")), ContainsSubstring("no size"));
  CHECK_THAT(refusal(with(good, "\"time_limit_s\":20.0", "\"time_limit_s\":1e9")),
             ContainsSubstring("time limit"));
  CHECK_THAT(refusal(with(good, "\"workload\":\"0\"", "\"workload\":\"/etc/passwd\"")),
             ContainsSubstring("not sent"));
  CHECK_THAT(refusal(with(good, "\"workload\":\"0\"", "\"workload\":\"2\"")),
             ContainsSubstring("not sent"));
  refusal(with(good, "\"phase\":\"verify\"", "\"phase\":\"explode\""));
  refusal(std::string(1000, '['));
}
