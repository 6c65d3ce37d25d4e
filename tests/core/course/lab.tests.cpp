// Reading lab.toml: the good one, and an error for everything that can be wrong with it.
#include "core/course/lab.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/course/toml_depth.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("every fact of a lab is read", "[core][lab]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_row_sum");
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  CHECK(lab->number == 2);
  CHECK(lab->slug == "row-sum");
  CHECK(lab->id == "02-row-sum");
  CHECK(lab->folder == "02_row_sum");
  CHECK(lab->category == "memory");
  CHECK(lab->minimum_compute_capability == ComputeCapability{8, 0});
  CHECK(lab->time_limit_s == 12.5);
  CHECK(lab->timing == TimingMode::device);
  CHECK(lab->dimensions == std::vector<std::string>{"rows", "columns"});
  CHECK(lab->sizes.timing == Size{65536, 1024});
  CHECK(lab->sizes.checking == std::vector<Size>{{1, 1}, {31, 33}});
  CHECK(lab->sizes.simulator == Size{256, 128});
  CHECK(lab->hints.size() == 3);
  REQUIRE(lab->predictions.size() == 1);
  CHECK(lab->predictions[0].answer == 1);
  REQUIRE(lab->pass().causes.size() == 1);
  CHECK(lab->pass().causes[0].target.holds(4.5));
  CHECK_FALSE(lab->pass().causes[0].target.holds(4.6));
  REQUIRE(lab->pass().causes[0].flawed);
  CHECK(lab->pass().causes[0].flawed->holds(16));
  CHECK(lab->pass().time.speedup == 5.0);
  REQUIRE(lab->pass().time.ceiling);
  CHECK(lab->pass().time.ceiling->of == "dram_copy");
  CHECK(lab->flawed() == folder.path() / "kernels/02_row_sum/flawed.cu");
}

TEST_CASE("the first rung is the pass; a further one may ask for speed alone", "[core][lab]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_row_sum",
            example_lab_toml +
                "[[rung]]\nname = \"as fast as a copy\"\n[rung.time]\n"
                "ceiling = { of = \"dram_copy\", at_least = 0.95 }\n");
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  REQUIRE(lab->rungs.size() == 2);
  CHECK(lab->pass().name == "coalesced");
  CHECK(lab->rungs[1].name == "as fast as a copy");
  CHECK(lab->rungs[1].causes.empty());
  CHECK_FALSE(lab->rungs[1].time.speedup);
  CHECK(lab->rungs[1].time.ceiling->at_least == 0.95);
}

TEST_CASE("kinds of labs: what each may leave out", "[core][lab]") {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& head, std::string toml) {
    write_lab(folder, "02_row_sum", head + toml);
    return load_lab(folder.path(), "02_row_sum");
  };
  const std::string& whole = example_lab_toml;
  const std::string on_gpus = replaced(whole, "simulator = [256, 128]\n", "");
  const std::string unproven = whole.substr(0, whole.find("[[rung.cause]]"));
  CHECK(with("", whole)->kind == LabKind::kernel);
  CHECK(with("kind = \"mystery\"\n", whole)->kind == LabKind::mystery);
  CHECK_FALSE(with("kind = \"mystery\"\n", unproven));
  CHECK_FALSE(with("kind = \"riddle\"\n", whole));

  const auto measurement =
      with("kind = \"measurement\"\n", replaced(unproven, "simulator = [256, 128]\n", ""));
  REQUIRE(measurement);
  CHECK(measurement->kind == LabKind::measurement);
  CHECK(measurement->pass().causes.empty());
  CHECK_FALSE(measurement->sizes.simulator);
  CHECK(measurement->sizes.large(false) == Size{65536, 1024});

  const auto bounded =
      with("kind = \"measurement\"\n", unproven + "[rung.time]\nat_most_s = 2.5\n");
  REQUIRE(bounded);
  CHECK(bounded->pass().time.at_most_s == 2.5);
  CHECK_FALSE(with("kind = \"measurement\"\n", unproven + "[rung.time]\n"));
  CHECK_FALSE(with("kind = \"measurement\"\n", unproven + "[rung.time]\nat_most_s = 0\n"));

  CHECK_FALSE(with("", on_gpus));
  CHECK(with("", replaced(on_gpus, "gpus = 1", "gpus = 2")));
  CHECK(with("build = { link = [\"cublas\"] }\n", on_gpus)->build.link ==
        std::vector<std::string>{"cublas"});
  CHECK(with("build = { architecture = \"90a\" }\n", on_gpus)->build.architecture ==
        Architecture{{9, 0}, true});
  // What reaches nvcc's command line is a plain name and nothing else.
  for (const std::string build :
       {"{ architecture = \"90\" }", "{ architecture = \"90a -o x\" }", "{ architecture = 90 }",
        "{ link = [\"-lx\"] }", "{ link = [\"a b\"] }", "{ link = \"cublas\" }",
        "{ flags = \"-G\" }"}) {
    CAPTURE(build);
    CHECK_FALSE(with("build = " + build + "\n", whole));
  }
}

TEST_CASE("a pass may ask for counts alone", "[core][lab]") {
  const TemporaryFolder folder;
  std::string toml = example_lab_toml;
  toml.erase(toml.find("[rung.time]"));
  write_lab(folder, "02_row_sum", toml);
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  CHECK_FALSE(lab->pass().time.speedup);
  CHECK_FALSE(lab->pass().time.ceiling);
}

TEST_CASE("ranges to draw from and sizes beyond the usual ones may be there", "[core][lab]") {
  const TemporaryFolder folder;
  const std::string more =
      "drawn = { highest = [70000, 2000], most_elements = 500000, most_simulated_elements = 4000 "
      "}\n"
      "beyond = [[65537, 1], [1, 65537]]\nhuge = [[65537, 32768]]\nsimulator = [256, 128]";
  write_lab(folder, "02_row_sum", replaced(example_lab_toml, "simulator = [256, 128]", more));
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  REQUIRE(lab->sizes.drawn);
  CHECK(lab->sizes.drawn->highest == Size{70000, 2000});
  CHECK(lab->sizes.drawn->most_simulated_elements == 4000);
  CHECK(lab->sizes.beyond == std::vector<Size>{{65537, 1}, {1, 65537}});
  CHECK(lab->sizes.huge == std::vector<Size>{{65537, 32768}});

  write_lab(folder, "02_row_sum",
            replaced(example_lab_toml, "simulator = [256, 128]",
                     "huge = [[65537]]\nsimulator = [256, 128]"));
  CHECK_FALSE(load_lab(folder.path(), "02_row_sum"));
}

TEST_CASE("a lab builds on earlier ones", "[core][lab]") {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& numbers) {
    write_lab(folder, "09_row_sum", "builds_on = " + numbers + "\n" + example_lab_toml);
    return load_lab(folder.path(), "09_row_sum");
  };
  REQUIRE(with("[2, 6]"));
  CHECK(foundations(*with("[2, 6]")) == "labs 02, 06");
  CHECK(foundations(*with("[2]")) == "lab 02");
  CHECK(foundations(*with("[]")).empty());
  for (const std::string wrong : {"[9]", "[12]", "[0]", "[6, 2]", "[2, 2]", "[\"02\"]", "2"}) {
    CAPTURE(wrong);
    const auto lab = with(wrong);
    REQUIRE_FALSE(lab);
    CHECK_THAT(lab.error().what, ContainsSubstring("numbers of earlier labs, ascending"));
  }
}

TEST_CASE("optional facts have defaults", "[core][lab]") {
  const TemporaryFolder folder;
  std::string toml = example_lab_toml;
  for (const std::string line :
       {"minimum_compute_capability = 80\n", "gpus = 1\n", "time_limit_s = 12.5\n",
        "timing = \"device\"\n", "flawed = \">= 16\"\n",
        "ceiling = { of = \"dram_copy\", at_least = 0.8 }\n"})
    toml = replaced(toml, line, "");
  write_lab(folder, "02_row_sum", toml);
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  CHECK(lab->minimum_compute_capability == oldest_compute_capability);
  CHECK(lab->time_limit_s == 20);
  CHECK_FALSE(lab->pass().causes[0].flawed);
  CHECK_FALSE(lab->pass().time.ceiling);
}

namespace {
struct Mistake {
  std::string from, to;
  std::string line;      ///< where the error must be
  std::string expected;  ///< part of the sentence
  std::string remedy;    ///< part of the remedy
};
}  // namespace

TEST_CASE("a mistake in lab.toml is named with file, line, key and what was expected",
          "[core][lab]") {
  const Mistake mistake = GENERATE(
      Mistake{"title = ", "titel = ", "1", "`title` is missing", "Did you mean it by `titel`?"},
      Mistake{"title = \"Rows and columns\"", "title = 7", "1", "`title` must be text", ""},
      Mistake{"title = \"Rows and columns\"", "title = \"\"", "1", "`title` must be text", ""},
      Mistake{"category = \"memory\"", "category = \"memry\"", "2",
              "`category` must be compute, memory, overhead or communication, found \"memry\"",
              "Did you mean \"memory\"?"},
      Mistake{"gpus = 1", "gpus = 0", "6", "`gpus` must be a whole number from 1 to 2, found 0",
              ""},
      Mistake{"gpus = 1", "gpus = 1.5", "6", "`gpus` must be a whole number", ""},
      Mistake{"gpus = 1", "gpuss = 1", "6", "key `gpuss` is unknown", "Did you mean `gpus`?"},
      Mistake{"time_limit_s = 12.5", "time_limit_s = -1", "7", "`time_limit_s` must be a number",
              ""},
      Mistake{"time_limit_s = 12.5", "time_limit_s = nan", "7", "`time_limit_s` must be a number",
              ""},
      Mistake{"timing = \"device\"", "timing = \"devise\"", "8", "`timing` must be device or wall",
              "Did you mean \"device\"?"},
      Mistake{"timing = [65536, 1024]", "timing = [65536]", "13", "`sizes.timing` must be", ""},
      Mistake{"[31, 33]", "[31, 0]", "14", "`sizes.checking[1]` must be", ""},
      Mistake{"simulator = [256, 128]\n", "", "12", "`sizes.simulator` is missing", ""},
      Mistake{"answer = 1", "answer = 2", "20", "`prediction[0].answer` must be", ""},
      Mistake{"answer = 1", "answer = 1\nbands = [[1, 2]]", "21", "`prediction[0].bands` must be",
              ""},
      Mistake{"answer = 1", "answer = 1\nbands = [[1, 4], [2, 8]]", "21",
              "`prediction[0].bands[1]` must be", ""},
      Mistake{"answer = 1", "answer = 1\nbands = [[1, 4], [\"4\", 8]]", "21",
              "`prediction[0].bands[1]` must be", ""},
      Mistake{"answer = 1", "answer = 1\nbands = [[1, 2], [2, 3], [3, 4]]", "21",
              "`prediction[0].bands[2]` must be", ""},
      Mistake{"\"global_load_sectors_per_request\"", "\"global_load_sector_per_request\"", "27",
              "`rung[0].cause[0].metric` must be", "global_load_sectors_per_request"},
      Mistake{"target = \"<= 4.5\"", "target = \"< 4.5\"", "28",
              "`rung[0].cause[0].target` must be a bound", ""},
      Mistake{"target = \"<= 4.5\"", "target = 4.5", "28",
              "`rung[0].cause[0].target` must be a bound", ""},
      Mistake{"speedup = 5.0", "speedup = \"5\"", "33", "`rung[0].time.speedup` must be a number",
              ""},
      Mistake{"\"dram_copy\"", "\"dram_cpy\"", "34", "`rung[0].time.ceiling.of` must be",
              "Did you mean \"dram_copy\"?"},
      Mistake{"at_least = 0.8", "at_least = 80", "34", "`rung[0].time.ceiling.at_least` must be",
              ""},
      Mistake{"[[rung]]", "[[rng]]", "26", "`rung` must be at least 1 table [[rung]]", ""},
      Mistake{"[[rung.cause]]", "[[rung.case]]", "23", "`rung[0].cause` is missing",
              "`rung[0].case`"},
      Mistake{"[rung.time]", "[rung.tme]", "32", "key `rung[0].tme` is unknown", "`rung[0].time`"},
      Mistake{"0.8 }\n", "0.8 }\n[[rung]]\nname = \"more\"\n", "35", "`rung[1].time` is missing",
              ""},
      Mistake{"0.8 }\n", "0.8 }\n[[rung]]\nname = \"more\"\n[rung.time]\n", "37",
              "`rung[1].time.speedup` is missing", ""},
      Mistake{"gpus = 1", "gpus = ", "6", "not valid TOML", ""});
  const TemporaryFolder folder;
  write_lab(folder, "02_row_sum", replaced(example_lab_toml, mistake.from, mistake.to));
  const auto lab = load_lab(folder.path(), "02_row_sum");
  CAPTURE(mistake.to);
  REQUIRE_FALSE(lab);
  CHECK(lab.error().code == ErrorCode::bad_lab);
  CHECK_THAT(lab.error().what, ContainsSubstring("labs/02_row_sum/lab.toml:" + mistake.line));
  CHECK_THAT(lab.error().what, ContainsSubstring(mistake.expected));
  CHECK_THAT(shell_words(lab.error().remedy), ContainsSubstring(mistake.remedy));
  CHECK_FALSE(lab.error().remedy.empty());
}

TEST_CASE("a question about the speed-up names a band for each choice", "[core][lab]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_row_sum",
            replaced(example_lab_toml, "answer = 1", "answer = 1\nbands = [[1, 2], [2, 12.5]]"));
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  REQUIRE(lab->predictions[0].bands.size() == 2);
  CHECK(lab->predictions[0].bands[1].low == 2);
  CHECK(lab->predictions[0].bands[1].high == 12.5);
}

TEST_CASE("hostile lab files are refused, not obeyed", "[core][lab]") {
  const TemporaryFolder folder;
  SECTION("a name that leaves the folder") {
    CHECK(load_lab(folder.path(), "../etc").error().code == ErrorCode::bad_lab);
    CHECK(load_lab(folder.path(), std::string(100000, 'a')).error().code == ErrorCode::bad_lab);
  }
  SECTION("a file that is too long") {
    write_lab(folder, "02_row_sum", example_lab_toml + "# " + std::string(300 << 10, 'x'));
    CHECK(load_lab(folder.path(), "02_row_sum").error().code == ErrorCode::bad_lab);
  }
  SECTION("arrays nested ten thousand deep") {
    write_lab(folder, "02_row_sum", "x = " + std::string(10000, '[') + "\n");
    CHECK(load_lab(folder.path(), "02_row_sum").error().code == ErrorCode::bad_lab);
  }
  SECTION("bytes that are no text") {
    write_lab(folder, "02_row_sum", "title = \"\xff\xfe\"\n");
    CHECK(load_lab(folder.path(), "02_row_sum").error().code == ErrorCode::bad_lab);
  }
}

TEST_CASE("parameters of the kernel files are read, and impossible ones named", "[core][lab]") {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& values, const std::string& define) {
    write_lab(folder, "02_row_sum",
              example_lab_toml + "\n[[parameter]]\nname = \"block size\"\ndefine = \"" + define +
                  "\"\nvalues = " + values + "\ndefault = 256\n");
    return load_lab(folder.path(), "02_row_sum");
  };
  const auto lab = with("[32, 64, 1024]", "BLOCK");
  REQUIRE(lab);
  REQUIRE(lab->parameters.size() == 1);
  CHECK(lab->parameters[0].name == "block size");
  CHECK(lab->parameters[0].define == "BLOCK");
  CHECK(lab->parameters[0].values == std::vector<std::int64_t>{32, 64, 1024});
  CHECK(lab->parameters[0].fallback == 256);
  for (const char* values : {"[32]", "[64, 32]", "[0, 1]", "[32, 32]", "[\"a\", 64]", "32"}) {
    const auto broken = with(values, "BLOCK");
    REQUIRE_FALSE(broken);
    CHECK_THAT(broken.error().what, ContainsSubstring("values"));
  }
  // What reaches nvcc's command line is a plain name and nothing else.
  for (const char* define : {"block", "BLOCK=1 -o /x", "-DX", "B;L", "9B"}) {
    const auto broken = with("[32, 64]", define);
    REQUIRE_FALSE(broken);
    CHECK_THAT(broken.error().what, ContainsSubstring("define"));
  }
}

TEST_CASE("the steps of a long road are read in order, and each says what it is", "[core][lab]") {
  const TemporaryFolder folder;
  const std::string first =
      "\n[[step]]\nfile = \"fair_tile\"\nname = \"A tile\"\nwhy = \"It turns there.\"\n";
  write_lab(folder, "02_row_sum", example_lab_toml + first + "[[step]]\nfile = \"fair_two\"\n");
  const auto broken = load_lab(folder.path(), "02_row_sum");
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().what, ContainsSubstring("name"));
  write_lab(folder, "02_row_sum", example_lab_toml + first);
  const auto lab = load_lab(folder.path(), "02_row_sum");
  REQUIRE(lab);
  REQUIRE(lab->steps.size() == 1);
  CHECK(lab->steps[0].file == VariantName("fair_tile"));
  CHECK(lab->steps[0].why == "It turns there.");
}

TEST_CASE("a key of very many parts is refused with its line, before it costs the stack",
          "[core][lab]") {
  std::string parts = "a";
  for (int i = 0; i < 60'000; ++i) parts += ".a";
  for (const std::string& line : {parts + " = 1", "[" + parts + "]", "[[" + parts + "]]",
                                  "x = {" + parts + " = 1}", "x = " + std::string(60'000, '[')}) {
    const TemporaryFolder folder;
    write_lab(folder, "02_coalescing", "title = \"a.b.c\" # ...................\n" + line + "\n");
    const auto lab = load_lab(folder.path(), "02_coalescing");
    REQUIRE_FALSE(lab);
    CHECK_THAT(lab.error().what, ContainsSubstring("labs/02_coalescing/lab.toml:2: "));
    CHECK_THAT(lab.error().what, ContainsSubstring("more than 16 parts"));
  }
}

TEST_CASE("dots and brackets in prose are no nesting", "[core][lab]") {
  const std::string dots(100, '.'), brackets(100, '[');
  for (const std::string& text :
       {"\"" + dots + brackets + "\"", "'" + dots + brackets + "'",
        "\"\"\"\n" + dots + "\n\\\"" + brackets + "\"\"\"", "\"a\\\"" + dots + "\" # " + dots}) {
    CAPTURE(text);
    CHECK_FALSE(line_too_deep("title = " + text + "\nspeedup = 1.5\n"));
  }
  CHECK(line_too_deep("a = \"\"\"\n\n\"\"\"\n" + brackets) == 4);
}
