// What must pass again and again: how its checks add up, and what was recorded.
#include "core/record/repeats.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <thread>
#include <vector>

#include "core/base/files.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::TemporaryFolder;

namespace {
CheckResult checked(const std::string& digest) {
  CheckResult run;
  run.lab = "02-coalescing";
  run.variant = VariantName("fair_tile");
  run.source_digest = digest;
  return run;
}
const std::vector<std::string> as_due;
}  // namespace

TEST_CASE("checks of one text add up, and those of an older text are forgotten",
          "[core][results]") {
  Repeats repeats;
  repeats.add(checked("old"), as_due);
  repeats.add(checked("new"), as_due);
  repeats.add(checked("new"), {"It is not fast enough.", "2.1x."});
  REQUIRE(repeats.kernels.size() == 1);
  CHECK(repeats.kernels.front().checks == 2);
  CHECK(repeats.kernels.front().as_due == 1);
  CHECK(repeats.kernels.front().others == std::vector<std::string>{"It is not fast enough. 2.1x."});
  CHECK(repeats.checks_of("02-coalescing", VariantName("fair_tile"), "old") == 0);
}

TEST_CASE("a record of repeats comes back as it was written, and another file is no record",
          "[core][results]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "repeats" / "gpu.json";
  REQUIRE(read_repeats(path));
  CHECK(read_repeats(path)->kernels.empty());

  CheckResult run = checked("digest");
  run.device.name = "NVIDIA H200";
  run.date = "2026-11-27T09:00:00Z";
  REQUIRE(add_repeat(path, run, {"It is not fast enough."}));
  const auto back = read_repeats(path);
  REQUIRE(back);
  CHECK(back->device.name == "NVIDIA H200");
  CHECK(back->date == run.date);
  REQUIRE(back->kernels.size() == 1);
  CHECK(back->kernels.front().source_digest == "digest");
  CHECK(back->kernels.front().others == std::vector<std::string>{"It is not fast enough."});

  REQUIRE(write_file(path, "{\"format\": 2, \"kernels\": 3}"));
  const auto broken = read_repeats(path);
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().what, ContainsSubstring("no record of repeats"));
}

TEST_CASE("several processes add to one record of repeats, and no check is lost",
          "[core][results]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "gpu.json";
  constexpr int processes = 4, checks = 10;
  std::vector<std::jthread> adding;  // each opens the folder itself, as a process of its own does
  for (int i = 0; i < processes; ++i)
    adding.emplace_back([&] {
      for (int check = 0; check < checks; ++check)
        if (!add_repeat(path, checked("one"), as_due)) return;
    });
  adding.clear();
  const auto repeats = read_repeats(path);
  REQUIRE(repeats);
  REQUIRE(repeats->kernels.size() == 1);
  CHECK(repeats->kernels.front().as_due == processes * checks);
}

TEST_CASE("checks of a kernel are forgotten only if one did not end as it has to",
          "[core][results]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "gpu.json";
  CheckResult run = checked("digest");
  run.device.name = "NVIDIA H200";
  const VariantName failed = run.variant, right("fair_other");
  REQUIRE(add_repeat(path, run, as_due));
  REQUIRE(add_repeat(path, run, {"It is not fast enough."}));
  run.variant = right;
  REQUIRE(add_repeat(path, run, as_due));
  REQUIRE(forget_failed_repeats(path, "03-register-spill", failed));
  CHECK(read_repeats(path)->kernels.size() == 2);
  for (const VariantName& variant : {failed, right})
    REQUIRE(forget_failed_repeats(path, run.lab, variant));
  const auto left = read_repeats(path);
  REQUIRE(left);
  CHECK(left->checks_of(run.lab, failed, "digest") == 0);
  CHECK(left->checks_of(run.lab, right, "digest") == 1);
  CHECK(left->device.name == "NVIDIA H200");
}

TEST_CASE("recordings of one kind of GPU are joined by their dates, each once", "[core][results]") {
  const TemporaryFolder folder;
  const auto record = [&](const char* file, const char* gpu, const char* date, const char* digest) {
    CheckResult run = checked(digest);
    run.device.name = gpu;
    run.date = date;
    REQUIRE(add_repeat(folder.path() / file, run, as_due));
    return folder.path() / file;
  };
  const auto first = record("first.json", "NVIDIA H200", "2026-11-27T09:00:00Z", "same");
  const auto second = record("second.json", "NVIDIA H200", "2026-11-28T09:00:00Z", "same");
  const auto third = record("third.json", "NVIDIA H200", "2026-11-29T09:00:00Z", "other");
  const auto joined = join_repeats(folder.path(), first);
  REQUIRE(joined);
  REQUIRE(join_repeats(folder.path(), second));
  CHECK_FALSE(join_repeats(folder.path(), second));
  CHECK_FALSE(join_repeats(folder.path(), first));
  REQUIRE(join_repeats(folder.path(), third));  // of another text: nothing is added
  const auto all = read_repeats(*joined);
  REQUIRE(all->kernels.size() == 1);
  CHECK(all->kernels.front().checks == 2);
  CHECK(all->kernels.front().as_due == 2);
  CHECK(all->date == "2026-11-29T09:00:00Z");
  CHECK_THAT(join_repeats(folder.path(), folder.path() / "none.json").error().what,
             ContainsSubstring("holds no check"));
}
