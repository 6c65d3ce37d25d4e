// One run of nvcc, or two where it says itself that it lacked the flag for lambdas.
#include "core/build/nvcc.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <sstream>

#include "core/base/files.hpp"
#include "core/build/demangle.hpp"
#include "core/build/plugin_builder.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

/// nvcc takes about two seconds for a lab kernel; one of whose programs computes for this long has
/// met a compile-time loop. On a busy machine it may wait far longer.
constexpr const char* limited = "ulimit -S -t 120; exec \"$@\"";
constexpr double build_time_limit_s = 900;
/// nvcc passes paths on to a shell between double quotes. Its own files, named after the source, it
/// passes on in lists, whose entries end at commas; so do folders to include from, in which it
/// escapes single quotes in vain.
constexpr std::string_view never_in_path = "\"$`\n";
constexpr std::string_view never_in_list = "\"$`\n,";
constexpr std::string_view never_in_include = "\"$`\n,'";
/// Its own files have the source's name with some fifty characters around it, of 255.
constexpr std::size_t longest_name = 200;

/// That nvcc can't read a path, said before it is tried.
Result<> readable(const fs::path& path, std::string_view forbidden) {
  const std::string text = path.string();
  const std::size_t at = text.find_first_of(forbidden);
  if (at == std::string::npos) return Ok{};
  const std::string character = text[at] == '\n' ? "a line break" : std::string("a ") + text[at];
  return make_error(ErrorCode::usage,
                    "nvcc cannot build where a path has " + character + " in it: " + text + ".",
                    "Rename that file or folder, or copy it to a place without one.");
}

/// nvcc takes every second byte of UTF-16 for an empty character, and complains of each.
Result<> text_for_nvcc(const fs::path& source) {
  std::ifstream file(source, std::ios::binary);
  char first = 'x', second = 'x';
  file.get(first).get(second);
  const bool marked =
      (first == '\xFF' && second == '\xFE') || (first == '\xFE' && second == '\xFF');
  if (!marked && first != '\0' && second != '\0') return Ok{};
  return make_error(ErrorCode::build_failed,
                    source.string() + " is saved as UTF-16, which the compiler does not read.",
                    "Save it as UTF-8: your editor calls that its encoding.");
}

std::string sentence_of(const CompilerMessage& message) {
  const std::string place = place_of(message);
  return (place.empty() ? "" : place + ": ") + told(message);
}

bool has_any(std::string_view log, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return log.find(word) != log.npos; });
}

/// The first line that speaks of an error, as linker and assembler write it; else the first one.
std::string complaint_in(const std::string& log) {
  std::istringstream lines(log);
  std::string line, first;
  for (bool begun = false; std::getline(lines, line); begun = true) {
    const bool bad = has_any(line, {"error", "Error", "undefined", "cannot"});
    if (bad || !begun) first = line;
    if (bad) break;
  }
  return told({.text = std::move(first)});
}

/// Whether one of nvcc's programs was ended by `limited`: nvcc names the signal, gcc its meaning.
bool computed_too_long(const ProcessResult& run) {
  const std::string log = run.err + run.out;
  return run.signal == SIGXCPU || log.find("died due to signal 24") != std::string::npos ||
         log.find("CPU time limit exceeded") != std::string::npos;
}

/// Of an error in a library's header: which line of the kernel file asked for that.
std::string asked_for_by(const fs::path& source, const CompilerMessage& message,
                         const std::string& log) {
  if (message.file.empty() || message.file == source.string()) return {};
  const std::string before = "at line ", behind = " of " + source.string() + "\n";
  const std::size_t end = log.find(behind, log.find(message.text));
  const std::size_t at = end == std::string::npos ? end : log.rfind(before, end);
  if (at == std::string::npos) return {};
  const std::string line = log.substr(at + before.size(), end - at - before.size());
  if (line.find_first_not_of("0123456789") != std::string::npos) return {};
  const bool ends = message.text.ends_with('.') || message.text.ends_with('!');
  return std::string(ends ? "" : ".") + " It is line " + line + " of " + source.string() +
         " that asks for this.";
}

/// A full disk and too little memory end nvcc's programs too. On a disk without any room nvcc says
/// no more than that it "failed to preprocess", so the room itself is looked at, unless a line of a
/// file is to blame.
std::optional<Error> machine_error(const fs::path& source, const ProcessResult& run,
                                   const BuildRoom& room, const CompilerMessage* message) {
  constexpr std::uintmax_t least_room_bytes = 4u << 20;
  const std::string log = run.err + run.out;
  const bool blames_a_line = message != nullptr && message->line > 0;
  if (has_any(log, {"No space left on device", "Disk quota exceeded"}) ||
      (!blames_a_line && room.free_bytes < least_room_bytes))
    return io_error("build in", room.folder, ENOSPC);
  if (run.signal == SIGKILL || has_any(log, {"died due to signal 9", "Killed signal terminated"}))
    return make_error(ErrorCode::io,
                      "The compiler was killed while it built " + source.string() + ".",
                      "A system without free memory does that: close what uses much of it, and "
                      "check again.");
  return std::nullopt;
}

}  // namespace

Error build_error(const fs::path& source, const ProcessResult& run, const BuildRoom& room) {
  const std::string log = run.err + run.out;
  const auto messages = parse_compiler_messages(log);
  const CompilerMessage* message = first_error(messages);
  if (auto error = machine_error(source, run, room, message)) return *error;
  if (message)
    return make_error(ErrorCode::build_failed,
                      sentence_of(*message) + asked_for_by(source, *message, log), {}, log);
  return make_error(ErrorCode::build_failed,
                    source.string() + " does not build: " + complaint_in(log), {}, log);
}

namespace {

/// The folder that the build's own was made in, and what its disk has left.
BuildRoom room_of(const fs::path& scratch) {
  std::error_code failure;
  const auto space = fs::space(scratch, failure);
  return {scratch.parent_path(), failure ? UINTMAX_MAX : space.available};
}

/// Runs it with exactly these flags.
Result<ProcessResult> run_once(const Toolchain& toolchain, const fs::path& source,
                               const std::vector<fs::path>& include_folders,
                               const std::vector<std::string>& flags, const fs::path& output,
                               const std::atomic<bool>* canceled) {
  const std::string scratch = output.parent_path().string();
  ProcessRequest request{.command = {"/bin/sh", "-c", limited, "nvcc", toolchain.nvcc.string()},
                         .environment = {{"TMPDIR", scratch}},
                         .scratch = scratch,
                         .time_limit_s = build_time_limit_s};
  request.command.insert(request.command.end(), flags.begin(), flags.end());
  for (const fs::path& folder : include_folders) {
    if (auto good = readable(folder, never_in_include); !good) return good.error();
    request.command.insert(request.command.end(), {"-I", folder.string()});
  }
  for (const fs::path& path : {source, toolchain.nvcc})
    if (auto good = readable(path, never_in_path); !good) return good.error();
  for (const fs::path& path : {source.filename(), output})
    if (auto good = readable(path, never_in_list); !good) return good.error();
  if (source.filename().string().size() > longest_name)
    return make_error(ErrorCode::usage,
                      "nvcc makes files with longer names than the system takes of the name " +
                          source.filename().string() + ".",
                      "Give the file a shorter name.");
  if (auto good = text_for_nvcc(source); !good) return good.error();
  // By another ending nvcc takes a file for another language, or for none.
  if (source.extension() != ".cu") request.command.insert(request.command.end(), {"-x", "cu"});
  request.command.insert(request.command.end(), {"-o", output.string(), source.string()});
  auto run = run_process(request, {}, canceled);
  if (!run) return run.error();
  for (std::string* said : {&run->out, &run->err}) *said = with_demangled_names(*said);
  if (run->was_canceled) return make_error(ErrorCode::canceled, "The build was stopped.");
  if (computed_too_long(*run))
    return make_error(ErrorCode::hang,
                      "nvcc computed for two minutes and did not finish " + source.string() + ".",
                      "Look for templates or unrolled loops that grow without bound.");
  if (run->timed_out)
    return make_error(ErrorCode::hang,
                      "nvcc did not finish " + source.string() +
                          " in a quarter of an hour, in which it hardly got to compute.",
                      "Something else keeps this machine or its disk busy: see with `top`, end it, "
                      "and check again.");
  if (run->exit_code != 0) return build_error(source, *run, room_of(scratch));
  return run;
}

/// Two fifths of nvcc's time for a small file go into the host's <functional>, which this makes it
/// read. Code without such lambdas becomes the same without it.
constexpr const char* lambda_flag = "--extended-lambda";

/// A good part of the rest goes into special functions such as std::riemann_zeta and what they
/// bring along, which <cmath> includes and CUDA's headers that: libstdc++ takes them for included.
constexpr const char* no_special_functions = "-D_GLIBCXX_BITS_SPECFUN_H";

/// `[=] __device__`, also behind a line break. One written by a macro is seen by what nvcc says.
bool marks_a_lambda(std::string_view text) {
  for (std::size_t at; (at = text.find(']')) != text.npos;) {
    text.remove_prefix(at + 1);
    const std::string_view next =
        text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (next.starts_with("__device__") || next.starts_with("__host__")) return true;
  }
  return false;
}

/// Whether nvcc may have missed the flag for lambdas, or a name of the host's library that it or
/// the special functions bring along. One that was ended, or not asked, says nothing: it would be
/// ended again.
bool may_lack_something(const std::string& log, std::string_view text) {
  if (log.empty()) return false;
  if (text.find("namespace std") != text.npos) return true;
  for (const char* words : {"extended-lambda", "std::", "\"std\""})
    if (log.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

Result<ProcessResult> run_nvcc(const Toolchain& toolchain, const fs::path& source,
                               const std::vector<fs::path>& include_folders,
                               const std::vector<std::string>& flags, const fs::path& output,
                               const std::atomic<bool>* canceled) {
  const auto run_with = [&](std::initializer_list<const char*> more) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), more.begin(), more.end());
    return run_once(toolchain, source, include_folders, all, output, canceled);
  };
  const auto read = read_file(source);
  const std::string_view text = read ? std::string_view(*read) : std::string_view();
  auto run = marks_a_lambda(text) ? run_with({no_special_functions, lambda_flag})
                                  : run_with({no_special_functions});
  if (run || !may_lack_something(run.error().detail, text)) return run;
  return run_with({lambda_flag});
}

}  // namespace klab
