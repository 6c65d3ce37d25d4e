// trace: what the host asked for and what the GPU did, over time.
#include "cli/investigate/investigate.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/views/timeline_view.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/investigate/chrome_trace.hpp"

namespace klab::cli {
namespace {

Result<> write_chrome(const Investigation& found, const std::string& path) {
  const auto* timeline = std::get_if<Timeline>(&found.found);
  if (!timeline) return Ok{};
  std::string text;
  write_chrome_trace(*timeline, found.lab + ", " + found.device.name,
                     [&](std::string_view piece) { text += piece; });
  return write_file(path, text);
}

}  // namespace

int trace(const Context& context, const TraceOptions& options) {
  const auto found = find_investigation(context, options, InvestigationKind::timeline);
  const int code = show_investigation(context, found, options, view_timeline);
  if (!found || options.chrome.empty() || code != exit_ok) return code;
  if (const auto written = write_chrome(*found, options.chrome); !written)
    return fail(context, written.error());
  if (!options.json)
    print("\n  Written to " + printable(options.chrome) +
          "; open it at https://ui.perfetto.dev.\n");
  return code;
}

}  // namespace klab::cli
