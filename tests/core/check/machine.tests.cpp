// What this machine can check with.
#include "core/check/machine.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/check/health.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;

TEST_CASE("without a runner there is no device, and the error says what is missing",
          "[core][machine]") {
  const test::TemporaryFolder folder;
  const Tree tree{folder.path(), folder.path()};
  const auto facts = gpu_facts(tree);
  REQUIRE_FALSE(facts);
  // Where there is no driver either, nothing is to be built for one.
  CHECK(facts.error().what.find(driver_health().works ? "not built" : "No NVIDIA driver") !=
        std::string::npos);
  CHECK_FALSE(choose_backend(tree, Backend::gpu));
  CHECK(choose_backend(tree, Backend::simulator)->simulator);
}

TEST_CASE("a device that only a closed room hides is said to be there", "[core][machine]") {
  const Error hidden = seen_from_room(make_error(ErrorCode::no_device, "No device."));
  CHECK(hidden.code == ErrorCode::no_device);
  CHECK(hidden.what.find("closed room") != std::string::npos);
  CHECK(shell_words(hidden.remedy).find("KLAB_ROOM=open") != std::string::npos);
  CHECK(seen_from_room(make_error(ErrorCode::hang, "Endless.")).what == "Endless.");
}
