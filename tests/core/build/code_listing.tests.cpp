// PTX and machine code with their source lines.
#include "core/build/code_listing.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/base/files.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
namespace fs = std::filesystem;

namespace {

Tree real_tree() { return {.root = KLAB_SOURCE_DIR, .build = KLAB_BINARY_DIR}; }

/// The text of a source line of the file.
std::string source_line(const fs::path& path, int number) {
  const auto text = read_file(path);
  REQUIRE(text);
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) begin = text->find('\n', begin) + 1;
  return text->substr(begin, text->find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("What the compiler made of no line has no source line", "[core][code_listing]") {
  const CodeListing listing = parse_ptx(
      ".visible .entry k(\n)\n{\n\t.loc\t1 4 0\n\tadd.s32 \t%r1, %r2, %r3;\n"
      "\t.loc\t1 0 0\n\tcvta.to.global.u64 \t%rd1, %rd2;\n\tret;\n}\n"
      "\t.file\t1 \"/here/k.cu\"\n",
      "/here/k.cu");
  REQUIRE(listing.lines.size() >= 6);
  CHECK(listing.lines[3].source_line == 4);
  CHECK_FALSE(listing.lines[4].source_line);
}

TEST_CASE("PTX keeps its lines and the source line of each instruction", "[core][code_listing]") {
  const CodeListing listing = parse_ptx(
      "//\n// Generated\n.version 9.0\n.target sm_90\n\n"
      ".visible .entry _Z3addPf(\n\t.param .u64 _Z3addPf_param_0\n)\n{\n"
      "\t.loc\t1 4 0\n\tld.param.u64 \t%rd1, [_Z3addPf_param_0];\n"
      "\t.loc\t2 90 7, function_name $L__info_string0, inlined_at 1 6 3\n"
      "\tadd.f32 \t%f1, %f2, %f3;\n"
      "\t.loc\t2 91 7\n\tmul.f32 \t%f1, %f2, %f3;\n\tret;\n}\n"
      "\t.file\t1 \"/here/k.cu\"\n\t.file\t2 \"/cuda/math.hpp\"\n"
      "\t.section\t.debug_str\n{\n.b8 1\n}\n",
      "/elsewhere/k.cu");
  REQUIRE(listing.lines.size() == 9);
  CHECK(listing.lines[0].is_head);
  CHECK(listing.lines[0].text == ".visible .entry add(");
  CHECK(listing.lines[4].text == "  ld.param.u64 \t%rd1, [add_param_0];");
  CHECK(listing.lines[4].source_line == 4);
  CHECK(listing.lines[5].source_line == 6);
  CHECK_FALSE(listing.lines[6].source_line);
  CHECK(listing.lines[8].text == "}");
}

TEST_CASE("machine code counts for the innermost line of the kernel file", "[core][code_listing]") {
  const CodeListing listing = parse_sass(
      "\t.target\tsm_90\n"
      "//--------------------- .text._Z3addPf --------\n"
      "\t.section\t.text._Z3addPf,\"ax\",@progbits\n\t.align\t128\n.text._Z3addPf:\n"
      "        .type           _Z3addPf,@function\n_Z3addPf:\n"
      "\t//## File \"/a/k.cu\", line 22\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
      "\t//## File \"/cuda/math.hpp\", line 16 inlined at \"/a/k.cu\", line 29\n"
      "\t//## File \"/a/k.cu\", line 29\n"
      "        /*0010*/                   FMUL R0, R5, R5 ;\n.L_x_1:\n"
      "\t//## File \"/a/k.cu\", line 16 inlined at \"/a/k.cu\", line 29\n"
      "\t//## File \"/a/k.cu\", line 29\n"
      "        /*0020*/              @!P0 BRA `(.L_x_1) ;\n",
      "/a/k.cu");
  REQUIRE(listing.lines.size() == 5);
  CHECK(listing.lines[0].text == "add:");
  CHECK(listing.lines[0].is_head);
  CHECK(listing.lines[1].text == "  0000  LDC R1, c[0x0][0x28]");
  CHECK(listing.lines[1].source_line == 22);
  CHECK(listing.lines[2].source_line == 29);
  CHECK(listing.lines[3].text == ".L_x_1:");
  CHECK_FALSE(listing.lines[3].source_line);
  CHECK(listing.lines[4].text == "  0020  @!P0 BRA `(.L_x_1)");
  CHECK(listing.lines[4].source_line == 16);
}

TEST_CASE("text of unknown form gives lines without source", "[core][code_listing]") {
  for (const char* text :
       {"", "\n\n", ".loc", ".loc 1", ".file", ".entry", "{", "/*", ".section .text."}) {
    for (const CodeListing& listing : {parse_ptx(text, "k.cu"), parse_sass(text, "k.cu")})
      for (const ListingLine& line : listing.lines) CHECK_FALSE(line.source_line);
  }
}

TEST_CASE("the load of the coalescing lab is found in its PTX", "[core][code_listing][slow]") {
  const Course course = load_course(KLAB_SOURCE_DIR);
  REQUIRE(course.labs.size() > 1);
  const Lab& lab = course.labs[1];
  const auto toolchain = find_toolchain(real_tree());
  REQUIRE(toolchain);
  const auto listing = list_code(real_tree(), *toolchain, lab, VariantName::flawed, lab.flawed(),
                                 {9, 0}, ListingKind::ptx);
  REQUIRE(listing);
  std::set<int> loads;
  for (const ListingLine& line : listing->lines)
    if (line.text.find("ld.global.f32") != std::string::npos && line.source_line)
      loads.insert(*line.source_line);
  REQUIRE(loads.size() == 2);
  CHECK(source_line(lab.flawed(), *loads.begin()).find("args.gain[row]") != std::string::npos);
  CHECK(source_line(lab.flawed(), *loads.rbegin()).find("args.in[i]") != std::string::npos);
}

TEST_CASE("machine code is listed where nvdisasm is, and its package named where not",
          "[core][code_listing][slow]") {
  const Course course = load_course(KLAB_SOURCE_DIR);
  const Lab& lab = course.labs.at(1);
  const auto toolchain = find_toolchain(real_tree());
  REQUIRE(toolchain);
  const auto listing = list_code(real_tree(), *toolchain, lab, VariantName::flawed, lab.flawed(),
                                 {9, 0}, ListingKind::sass);
  if (!listing) {
    CHECK(listing.error().code == ErrorCode::no_toolkit);
    CHECK(shell_words(listing.error().remedy).find("cuda-nvdisasm") != std::string::npos);
    return;
  }
  int loads = 0;
  for (const ListingLine& line : listing->lines)
    loads += line.text.find("LDG") != std::string::npos && line.source_line;
  CHECK(loads >= 2);
}

TEST_CASE("a file without a kernel is told so, not listed as nothing",
          "[core][code_listing][slow]") {
  const test::TemporaryFolder folder;
  const Course course = load_course(KLAB_SOURCE_DIR);
  const Lab& lab = course.labs.at(1);
  const auto toolchain = find_toolchain(real_tree());
  REQUIRE(toolchain);
  const fs::path source = folder.write("empty.cu", "");
  const auto listing =
      list_code(real_tree(), *toolchain, lab, VariantName::mine, source, {9, 0}, ListingKind::ptx);
  REQUIRE_FALSE(listing);
  CHECK(listing.error().what == source.string() + " has no kernel, so there is nothing to list.");
  CHECK(shell_words(listing.error().remedy).find("Write a `__global__` function") == 0);
  // What measures needs none.
  const Lab& measuring = course.labs.back();
  REQUIRE(measuring.kind == LabKind::measurement);
  const auto none = list_code(real_tree(), *toolchain, measuring, VariantName::flawed,
                              measuring.flawed(), {9, 0}, ListingKind::ptx);
  REQUIRE_FALSE(none);
  CHECK(shell_words(none.error().remedy).find("This lab's file measures") == 0);
}
