// device --live: what the driver reports of the device, a line at a time.
#include <cmath>
#include <set>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/text.hpp"
#include "core/check/health.hpp"
#include "core/measure/format.hpp"
#include "core/wire/runner_client.hpp"

namespace klab::cli {
namespace {

/// A person reads one line a second; the record comes five times as often.
constexpr double line_every_s = 1;
/// Every record is kept until the end; an hour of them is little.
constexpr double longest_watch_s = 3600;

std::string number(const std::optional<double>& value, double scale = 1) {
  return value ? format_count(static_cast<double>(std::llround(*value * scale)))
               : std::string(missing_text);
}

/// Right-aligned in columns of one width, since what comes is not known yet; as many in a line as
/// the screen has room for.
std::string columns(const Terminal& out, const std::vector<std::string>& values) {
  constexpr std::size_t width = 12;
  const std::size_t most = out.screen > 0 ? std::max<std::size_t>(out.screen / width, 1) : 6;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t used = std::min(display_width(values[i]), width);
    text += (i > 0 && i % most == 0 ? "\n" : "") + std::string(width - used, ' ') + values[i];
  }
  return text;
}

std::string heading(const Terminal& out) {
  const std::string names =
      columns(out, {"SM MHz", "memory MHz", "power W", "temp. °C", "memory MiB", "busy %"});
  return "\n" + paragraph(out, names, 0, Tone::faint);
}

std::string line_of(const Terminal& out, const record::DeviceSample& sample) {
  if (sample.held)
    return "  " + out.paint(Tone::faint, "paused: a measurement holds the GPU") + "\n";
  std::string line =
      columns(out, {number(sample.sm_clock_mhz), number(sample.memory_clock_mhz),
                    number(sample.power_w), number(sample.temperature_c),
                    number(sample.memory_used_bytes, 1.0 / (1 << 20)), number(sample.busy_pct)});
  for (std::size_t i = 0; i < sample.throttle_reasons.size(); ++i)
    line += (i ? ", " : "  ") + out.paint(Tone::doubtful, printable(sample.throttle_reasons[i]));
  return line + "\n";
}

}  // namespace

int device_live(const Context& context, const DeviceOptions& options) {
  const bool json = options.json;
  const double limit_s = options.seconds.value_or(longest_watch_s);
  double next_s = 0;
  std::set<std::string> reasons;
  bool any = false;
  const PhaseOutcome outcome = run_phase(
      context.tree, false, Request{.phase = Phase::live, .time_cap_s = limit_s}, limit_s + 30,
      [&](const Record& record) {
        const auto* sample = std::get_if<record::DeviceSample>(&record);
        if (!sample) return;
        reasons.insert(sample->throttle_reasons.begin(), sample->throttle_reasons.end());
        if (json) return print(terminal_safe(encode(record)) + "\n");
        if (sample->at_s < next_s) return;
        next_s = sample->at_s + line_every_s * 0.9;
        if (!any) print(heading(context.out));
        any = true;
        print(line_of(context.out, *sample));
      },
      &canceled_by_user());
  if (outcome.error && outcome.error->code != ErrorCode::canceled)
    return fail(context, without_simulator(*outcome.error), json);
  if (json) return exit_ok;
  for (const std::string& reason : reasons)
    print("\n" + paragraph(context.out, throttle_sentence(printable(reason)), 2, Tone::doubtful));
  print("\n");
  return exit_ok;
}

}  // namespace klab::cli
