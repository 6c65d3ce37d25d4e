// Standard output: nothing but our own colours, nothing lost in silence, long prose in a pager.
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/terminal/context.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

constexpr int command_not_found = 127;  // of a shell

int failure = 0;  ///< errno of the first write to standard output that failed

void write_all(std::FILE* stream, std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0)
    if (failure == 0) failure = errno != 0 ? errno : EIO;
}

/// The length of a colour at the front of the text ("\033[1m"), or 0.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// printable(), with colours kept.
std::string only_colours(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    if (const std::size_t length = colour_length(text)) {
      safe += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const std::size_t end = std::min(text.find('\033', 1), text.size());
    safe += printable(text.substr(0, end));
    text.remove_prefix(end);
  }
  return safe;
}

std::string safe_text(std::string_view text) {
  static const bool colour = Terminal::of(stdout).colour;
  return colour ? only_colours(text) : printable(text);
}

std::string pager() {
  const char* chosen = std::getenv("PAGER");
  return chosen != nullptr ? chosen : "less";
}

/// Whether the pager took the text. While it runs, Ctrl-C is the pager's, and a reader who leaves
/// early is no error.
bool page(const std::string& text) {
  ::setenv("LESS", "FRX", 0);  // end at once if it fits, keep colours, leave the text on the screen
  const auto on_interrupt = std::signal(SIGINT, SIG_IGN);
  const auto on_pipe = std::signal(SIGPIPE, SIG_IGN);
  int status = -1;
  if (std::FILE* pipe = ::popen(pager().c_str(), "w")) {
    (void)std::fwrite(text.data(), 1, text.size(), pipe);
    status = ::pclose(pipe);
  }
  std::signal(SIGPIPE, on_pipe);
  std::signal(SIGINT, on_interrupt);
  return status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == command_not_found);
}

}  // namespace

void print(std::string_view text) { write_all(stdout, safe_text(text)); }

void show(const Context& context, const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const bool fits = context.out.rows == 0 || lines < context.out.rows;
  if (fits || !context.out.obeys || pager().empty() || !page(safe_text(text))) print(text);
}

void say(const Context& context, std::string_view text) {
  if (context.err.interactive) std::fprintf(stderr, "  %s\n", printable(text).c_str());
}

bool reader_left() { return failure == EPIPE; }

std::optional<Error> output_failure() {
  if (failure == 0) return std::nullopt;
  return make_error(
      ErrorCode::io,
      "Standard output could not be written: " + std::string(std::strerror(failure)) + ".",
      failure == ENOSPC ? "Free some space on that disk and try again."
                        : "Write to another place and try again.");
}

}  // namespace klab::cli
