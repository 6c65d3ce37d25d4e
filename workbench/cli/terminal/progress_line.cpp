// ProgressLine: what is said of each event.
#include "cli/terminal/progress_line.hpp"

#include <cstdio>
#include <string>
#include <variant>

#include "core/base/text.hpp"

namespace klab::cli {

void ProgressLine::on(const CheckEvent& event) {
  if (event.kind == CheckEvent::Kind::queued) {
    // Said to everybody: a script that waits should know why.
    clear();
    std::fprintf(stderr, "  %s\n", printable(event.text).c_str());
    return;
  }
  if (!terminal_.interactive) return;
  if (event.record && std::holds_alternative<record::Sample>(*event.record)) {
    // 60 times a second is more than anybody reads.
    if (++samples_ % 32 == 0) show("timing, " + std::to_string(samples_) + " samples");
  } else if (event.kind != CheckEvent::Kind::record && !event.text.empty()) {
    show(event.text);
  } else if (event.kind == CheckEvent::Kind::phase_started && event.phase) {
    show(std::string(to_string(*event.phase)));
  }
}

void ProgressLine::show(const std::string& text) {
  const std::string line = printable(text).substr(0, terminal_.columns - 6);
  // Where a line cannot be written over, each step gets one; the samples, which are many, none.
  if (!terminal_.obeys) {
    if (samples_ == 0 || samples_ % 32 != 0) std::fprintf(stderr, "  %s ...\n", line.c_str());
    return;
  }
  std::fprintf(stderr, "\r\033[K  %s", terminal_.paint(Tone::faint, line + " …").c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace klab::cli
