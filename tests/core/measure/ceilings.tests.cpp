// Ceilings: their cache on disk, good and broken, and the physics floor.
#include "core/measure/ceilings.hpp"

#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace klab;
namespace fs = std::filesystem;

namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "klab_ceilings_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

DeviceFacts device() {
  DeviceFacts facts;
  facts.name = "Test GPU";
  facts.multiprocessors = 100;
  facts.driver = "580.1";
  return facts;
}

const std::map<std::string, double> some_values{{"dram_copy", 4.1e12}, {"empty_launch", 2e-6}};

void overwrite(const fs::path& folder, const std::string& text) {
  std::ofstream(ceilings_file(folder, device()), std::ios::binary) << text;
}

Ceilings with(std::map<std::string, double> values) {
  return {"Test GPU", 100, "580.1", "2026-01-01T00:00:00Z", std::move(values)};
}

}  // namespace

TEST_CASE("every ceiling has a name of its own, a unit and a meaning", "[core][ceilings]") {
  std::set<std::string_view> names;
  for (const auto& info : ceiling_catalogue()) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK((info.unit == "byte/s" || info.unit == "flop/s" || info.unit == "s"));
    CHECK(info.meaning.ends_with('.'));
    CHECK(find_ceiling(info.name) == &info);
  }
  CHECK(!names.empty());
  CHECK(find_ceiling("dram_copi") == nullptr);
}

TEST_CASE("a ceiling that was not measured is absent, never zero", "[core][ceilings]") {
  const TemporaryFolder folder;
  const auto loaded = load_ceilings(folder.path() / "not made yet", device());
  REQUIRE(loaded);
  CHECK(loaded->date.empty());
  for (const auto& info : ceiling_catalogue()) CHECK_FALSE(loaded->value(info.name));
  CHECK_FALSE(with({{"dram_copy", 0}}).value("dram_copy"));
}

TEST_CASE("saved ceilings read back the same", "[core][ceilings]") {
  const TemporaryFolder folder;
  REQUIRE(save_ceilings(folder.path() / "new", device(), "2026-01-01T00:00:00Z", some_values));
  const auto loaded = load_ceilings(folder.path() / "new", device());
  REQUIRE(loaded);
  CHECK(loaded->values == some_values);
  CHECK(loaded->date == "2026-01-01T00:00:00Z");
  CHECK(loaded->value("dram_copy") == 4.1e12);
  CHECK_FALSE(loaded->value("dram_read"));
  // Nothing but the file itself is left behind.
  CHECK(std::distance(fs::directory_iterator(folder.path() / "new"), {}) == 1);
}

TEST_CASE("ceilings of another driver or another device are not used", "[core][ceilings]") {
  const TemporaryFolder folder;
  REQUIRE(save_ceilings(folder.path(), device(), "2026-01-01T00:00:00Z", some_values));
  auto other = device();
  other.driver = "590.2";
  CHECK(load_ceilings(folder.path(), other)->values.empty());
  other = device();
  other.multiprocessors = 50;  // a slice of the same GPU
  CHECK(load_ceilings(folder.path(), other)->values.empty());
  other = device();
  other.name = "Test_GPU";  // the same file name
  CHECK(load_ceilings(folder.path(), other)->values.empty());
}

TEST_CASE("a file that is not ours is an error with a remedy, never a number", "[core][ceilings]") {
  const TemporaryFolder folder;
  const std::string head =
      R"({"format":5,"device":"Test GPU","multiprocessors":100,"driver":"580.1","date":"d",)";
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"),
        std::string(R"({"format":5})"), head + R"("values":[]})",
        head + R"("values":{"dram_copy":"fast"}})", head + R"("values":{"dram_copy":-1}})",
        head + R"("values":{"dram_copy":0}})", head + R"("values":{"dram_copy":1e999}})",
        head + R"("values":{"dram_copy":null}})",
        std::string(R"({"format":5,"device":7,"driver":[],"date":{},"values":{}})"),
        std::string(60000, '['), std::string(100000, ' '), std::string("\xff\xfe\x00{", 4)}) {
    INFO(text.substr(0, 100));
    overwrite(folder.path(), text);
    const auto loaded = load_ceilings(folder.path(), device());
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == ErrorCode::io);
    CHECK(shell_words(loaded.error().remedy).find("klab device --measure") != std::string::npos);
  }
  overwrite(folder.path(), head + R"("values":{"dram_copy":4e12,"from_the_future":1}})");
  const auto loaded = load_ceilings(folder.path(), device());
  REQUIRE(loaded);
  CHECK(loaded->values == std::map<std::string, double>{{"dram_copy", 4e12}});
}

TEST_CASE("what an older version measured is measured anew", "[core][ceilings]") {
  const TemporaryFolder folder;
  overwrite(folder.path(),
            R"({"format":1,"device":"Test GPU","multiprocessors":100,"driver":"580.1","date":"d",)"
            R"("values":{"dram_copy":4e12}})");
  const auto loaded = load_ceilings(folder.path(), device());
  REQUIRE(loaded);
  CHECK(loaded->values.empty());
}

TEST_CASE("a folder in place of the file is an error", "[core][ceilings]") {
  const TemporaryFolder folder;
  fs::create_directories(ceilings_file(folder.path(), device()));
  CHECK_FALSE(load_ceilings(folder.path(), device()));
  CHECK_FALSE(save_ceilings(folder.path(), device(), "d", some_values));
}

TEST_CASE("ceilings that cannot be true are not kept", "[core][ceilings]") {
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& values :
       {std::map<std::string, double>{{"dram_copy", 0}}, {{"dram_copy", nan}}, {{"mystery", 1}}}) {
    const auto saved = save_ceilings(folder.path(), device(), "d", values);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().code == ErrorCode::usage);
  }
  auto simulated = device();
  simulated.simulated = true;
  CHECK_FALSE(save_ceilings(folder.path(), simulated, "d", some_values));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a folder that cannot be made is an error", "[core][ceilings]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  const auto saved = save_ceilings(folder.path() / "file", device(), "d", some_values);
  REQUIRE_FALSE(saved);
  CHECK(saved.error().code == ErrorCode::io);
}

TEST_CASE("the name of a device cannot lead out of the cache folder", "[core][ceilings]") {
  auto evil = device();
  evil.name = "../../etc/passwd\n";
  CHECK(ceilings_file("cache", evil).parent_path() == "cache");
  CHECK(ceilings_file("cache", evil).filename().string().find('/') == std::string::npos);
}

namespace {

LeastWork work(double bytes, double flops) {
  return {{{Resource::device_memory, bytes}, {Resource::fp32, flops}}};
}

}  // namespace

TEST_CASE("the floor is the longer of moving the bytes and doing the operations",
          "[core][ceilings]") {
  const auto ceilings = with(
      {{"dram_copy", 4e12}, {"dram_read", 5e12}, {"fp32_fma", 50e12}, {"bf16_tensor", 500e12}});
  CHECK(*least_time_s(work(5e9, 0), ceilings, 0) == Catch::Approx(1e-3));
  CHECK(*least_time_s(work(5e9, 1e12), ceilings, 0) == Catch::Approx(2e-3));
  CHECK(*least_time_s(work(5e9, 1e11), ceilings, 0) == Catch::Approx(1e-3));
}

TEST_CASE("bytes that the L2 may still hold are not counted", "[core][ceilings]") {
  const auto ceilings = with({{"dram_read", 5e12}});
  CHECK(*least_time_s(work(5.06e9, 0), ceilings, 60'000'000) == Catch::Approx(1e-3));
  CHECK_FALSE(least_time_s(work(50e6, 0), ceilings, 60'000'000));
}

TEST_CASE("without a ceiling that bounds the task there is no floor", "[core][ceilings]") {
  CHECK_FALSE(least_time_s(work(5e9, 1e12), with({}), 0));
  CHECK_FALSE(least_time_s(work(0, 1e12), with({{"dram_copy", 4e12}}), 0));
  // Tensor cores were not measured: a kernel using them may beat the plain cores.
  CHECK_FALSE(least_time_s(work(0, 1e12), with({{"fp32_fma", 50e12}}), 0));
  CHECK_FALSE(least_time_s(work(0, 0), with({{"dram_copy", 4e12}}), 0));
}

TEST_CASE("bytes over the bus have a floor of their own", "[core][ceilings]") {
  const auto ceilings = with({{"dram_copy", 4e12},
                              {"pinned_host_to_device", 50e9},
                              {"pageable_host_to_device", 10e9},
                              {"pinned_device_to_host", 40e9}});
  const LeastWork task{{{Resource::device_memory, 4e9}, {Resource::to_device, 5e9}}};
  CHECK(*least_time_s(task, ceilings, 0) == Catch::Approx(0.1));
  CHECK(*least_time_s({{{Resource::to_host, 2e9}}}, ceilings, 0) == Catch::Approx(0.05));
  // Nothing was measured between two devices, so nothing is claimed of it.
  CHECK_FALSE(least_time_s({{{Resource::peer, 2e9}}}, ceilings, 0));
}
