// Reading PTX and disassembly.
#include "core/build/code_listing.hpp"

#include <charconv>
#include <cstdlib>
#include <map>

#include "core/base/files.hpp"
#include "core/base/text/kernel_name.hpp"
#include "core/build/demangle.hpp"
#include "core/process/process.hpp"
#include "core/process/scratch_folder.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_lines = 50'000;
constexpr double disassembly_limit_s = 60;

std::string_view bare_text(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<int> number_at(std::string_view text) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc()) return std::nullopt;
  return value;
}

/// The next word of `text`, which is shortened by it.
std::string_view word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t,");
  if (begin == std::string_view::npos) return text = {};
  text.remove_prefix(begin);
  const auto end = std::min(text.find_first_of(" \t,"), text.size());
  const std::string_view found = text.substr(0, end);
  text.remove_prefix(end);
  return found;
}

std::string quoted(std::string_view text) {
  const auto begin = text.find('"');
  const auto end = begin == std::string_view::npos ? begin : text.find('"', begin + 1);
  return end == std::string_view::npos ? std::string()
                                       : std::string(text.substr(begin + 1, end - begin - 1));
}

/// The compiler may have been given another path to the same file, or the file may have moved.
bool same_file(const std::string& recorded, const fs::path& file) {
  return fs::path(recorded) == file || fs::path(recorded).filename() == file.filename();
}

template <class Act>
void each_line(std::string_view text, Act act) {
  for (std::size_t count = 0; !text.empty() && count < most_lines; ++count) {
    const auto end = text.find('\n');
    act(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// The symbol that stands after `mark` on the line.
std::string symbol_after(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + mark.size());
  const auto begin = rest.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  rest.remove_prefix(begin);
  return std::string(rest.substr(0, rest.find_first_of("(, \t:@")));
}

/// Mangled names are long and say what the head of the kernel says already.
std::string with_short_names(std::string_view line,
                             const std::map<std::string, std::string>& short_names) {
  std::string text(line);
  for (const auto& [symbol, name] : short_names)
    for (auto at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at))
      text.replace(at, symbol.size(), name), at += name.size();
  return text;
}

/// "  0010  @P0 EXIT" of "/*0010*/     @P0 EXIT ;": addresses stay, what only aligns goes.
std::string compact_instruction(std::string_view bare) {
  const auto end = bare.find("*/");
  std::string_view rest = bare_text(bare.substr(end + 2));
  if (!rest.empty() && rest.back() == ';') rest = bare_text(rest.substr(0, rest.size() - 1));
  return "  " + std::string(bare.substr(2, end - 2)) + "  " + std::string(rest);
}

/// Numbers of the .file directives that mean `file`: they stand at the end of the text.
std::map<int, bool> own_files(std::string_view text, const fs::path& file) {
  std::map<int, bool> own;
  each_line(text, [&](std::string_view line) {
    line = bare_text(line);
    if (!line.starts_with(".file")) return;
    std::string_view rest = line.substr(5);
    if (const auto number = number_at(word(rest))) own[*number] = same_file(quoted(rest), file);
  });
  return own;
}

/// The line of our file that a .loc stands for: its own, or the one it was inlined at. Line 0 is
/// what the compiler made of no line.
std::optional<int> line_of_loc(std::string_view loc, const std::map<int, bool>& own) {
  std::string_view rest = loc.substr(4);
  const auto is_own = [&](std::optional<int> number) {
    const auto found = number ? own.find(*number) : own.end();
    return found != own.end() && found->second;
  };
  const auto real = [](std::optional<int> line) { return line > 0 ? line : std::nullopt; };
  const auto file = number_at(word(rest));
  const auto line = number_at(word(rest));
  if (is_own(file)) return real(line);
  const auto inlined = rest.find("inlined_at");
  if (inlined == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(inlined + 10);
  const auto outer_file = number_at(word(rest));
  const auto outer_line = number_at(word(rest));
  return is_own(outer_file) ? real(outer_line) : std::nullopt;
}

fs::path disassembler(const Toolchain& toolchain) {
  std::error_code ignored;
  const fs::path own = toolchain.root / "bin" / "nvdisasm";
  if (fs::exists(own, ignored)) return own;
  const auto found = programs_called("nvdisasm");
  return found.empty() ? fs::path() : found.front();
}

Result<CodeListing> list_sass(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                              const fs::path& source, ComputeCapability capability,
                              const std::atomic<bool>* canceled) {
  const fs::path program = disassembler(toolchain);
  if (program.empty())
    return make_error(ErrorCode::no_toolkit,
                      "Machine code is printed by nvdisasm, which is not installed here.",
                      "Install the package cuda-nvdisasm-13-0 (in NVIDIA's repository), or look at "
                      "the PTX.");
  const auto folder = ScratchFolder::make(tree.cache());
  if (!folder) return folder.error();
  const fs::path cubin = folder->path() / "listing.cubin";
  const auto built = build_cubin(toolchain, lab, source, capability, cubin, canceled);
  if (!built) return built.error();
  const auto run = run_process({.command = {program.string(), "-c", "-gi", cubin.string()},
                                .time_limit_s = disassembly_limit_s,
                                .capture_limit_bytes = 32u << 20},
                               {}, canceled);
  if (!run) return run.error();
  if (run->exit_code != 0)
    return make_error(ErrorCode::unsupported, "nvdisasm could not read the machine code.",
                      "It must come from a CUDA 13 toolkit, as nvcc does.", run->err);
  return parse_sass(run->out, source);
}

}  // namespace

std::string_view to_string(ListingKind kind) { return kind == ListingKind::ptx ? "ptx" : "sass"; }

CodeListing parse_ptx(std::string_view text, const fs::path& file) {
  CodeListing listing{.kind = ListingKind::ptx};
  const std::map<int, bool> own = own_files(text, file);
  std::optional<int> current;
  bool in_kernel = false;
  std::map<std::string, std::string> names;
  each_line(text, [&](std::string_view line) {
    const std::string_view bare = bare_text(line);
    if (bare.starts_with(".loc")) {
      current = line_of_loc(bare, own);
      return;
    }
    const bool head = bare.find(".entry") != std::string_view::npos ||
                      bare.find(".func") != std::string_view::npos;
    if (head) {
      in_kernel = true;
      current.reset();
      if (const std::string symbol = symbol_after(bare, ".entry "); !symbol.empty())
        names[symbol] = short_name(demangled(symbol));
    }
    // The debugging sections after the last kernel say nothing that is not shown already.
    if (!in_kernel || bare.empty() || bare.starts_with(".file") || bare.starts_with("//")) return;
    if (bare.starts_with(".section")) {
      in_kernel = false;
      return;
    }
    const bool instruction = bare.back() == ';' && !bare.starts_with(".");
    const bool inside = instruction || bare.starts_with(".reg") || bare.starts_with(".shared") ||
                        bare.starts_with(".local") || bare.starts_with(".param");
    listing.lines.push_back({(inside ? "  " : "") + with_short_names(bare, names),
                             instruction ? current : std::nullopt, head});
    if (bare == "}") current.reset();
  });
  return listing;
}

CodeListing parse_sass(std::string_view text, const fs::path& file) {
  CodeListing listing{.kind = ListingKind::sass};
  std::optional<int> current;
  bool in_text = false, in_notes = false;
  std::map<std::string, std::string> names;
  each_line(text, [&](std::string_view line) {
    const std::string_view bare = bare_text(line);
    if (bare.starts_with(".section")) {
      const std::string symbol = symbol_after(bare, ".text.");
      in_text = !symbol.empty();
      if (in_text) names[symbol] = short_name(demangled(symbol));
      current.reset();
      return;
    }
    if (!in_text || bare.empty()) return;
    if (bare.starts_with("//##")) {
      // Several in a row are one place: innermost first, then where that was inlined.
      const auto at = bare.find("line ");
      if (!in_notes) current.reset();
      in_notes = true;
      if (!current && at != std::string_view::npos && same_file(quoted(bare), file))
        current = number_at(bare.substr(at + 5));
      return;
    }
    in_notes = false;
    // Directives, and the label of the section, say nothing that the kernel's own label does not.
    const bool label = bare.back() == ':';
    if (bare.starts_with("//") || (bare.starts_with(".") && !(label && bare.starts_with(".L"))))
      return;
    const bool head = label && !bare.starts_with(".L");
    const bool instruction = bare.starts_with("/*") && bare.find(';') != std::string_view::npos;
    if (instruction)
      listing.lines.push_back({with_short_names(compact_instruction(bare), names), current, false});
    else
      listing.lines.push_back({with_short_names(bare, names), std::nullopt, head});
  });
  return listing;
}

Result<std::string> ptx_of_plugin(const fs::path& library) {
  const auto bytes = read_file(library);
  if (!bytes) return bytes.error();
  // Plugins are built without compression, so the text stands in the file as it is.
  const std::size_t at = bytes->find("\n.version ");
  const std::size_t end = at == std::string::npos ? at : bytes->find('\0', at);
  if (end == std::string::npos || bytes->substr(at, end - at).find(".target") == std::string::npos)
    return make_error(ErrorCode::unsupported, library.filename().string() + " carries no PTX.",
                      "Run " + Act{Verb::build} + " to build it again.");
  return bytes->substr(at, end - at);
}

bool flushes_small_numbers(const fs::path& library) {
  const auto text = ptx_of_plugin(library);
  return text && text->find(".ftz") != std::string::npos;
}

Result<CodeListing> list_code(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                              const VariantName& variant, const fs::path& source,
                              ComputeCapability capability, ListingKind kind,
                              const std::atomic<bool>* canceled) {
  const auto list = [&]() -> Result<CodeListing> {
    if (kind == ListingKind::sass)
      return list_sass(tree, toolchain, lab, source, capability, canceled);
    const auto built = build_plugin(tree, toolchain, lab, variant, source, capability, canceled);
    if (!built) return built.error();
    const auto text = ptx_of_plugin(built->library);
    if (!text) return text.error();
    return parse_ptx(*text, source);
  };
  auto listing = list();
  if (listing && listing->lines.empty())
    return make_error(
        ErrorCode::build_failed, source.string() + " has no kernel, so there is nothing to list.",
        lab.kind == LabKind::measurement
            ? "This lab's file measures: it calls the lab's jobs, and needs no kernel."
            : "Write a `__global__` function, and launch it.");
  return listing;
}

}  // namespace klab
