// bench --peers: what known libraries need for a lab's task, beside our solution in the same run.
//
// A lab's peers lie in solutions/NN_slug/peers. NAME.cu is a kernel file of the lab's contract that
// calls a library; it is checked like any other, interleaved with our solution. NAME.py does the
// same work with a library of its own, in a process of its own, and prints the seconds of each
// sample, one a line; our solution's samples are those of a check right before it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/diff/line_diff.hpp"
#include "core/base/files.hpp"
#include "core/base/find.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/check/machine.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/process/process.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double script_time_limit_s = 120;

/// How long a peer takes for what ours does.
struct PeerTimes {
  std::string lab, peer, digest;
  std::optional<Interval> ours_s, peer_s;
  std::optional<Interval> ratio;  ///< peer's time over ours: above 1, ours is faster
  std::string why_missing;
};

std::vector<fs::path> peers_of(const Lab& lab) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator it(lab.optimized().parent_path() / "peers", failure), end;
       !failure && it != end; it.increment(failure))
    if (it->path().extension() == ".cu" || it->path().extension() == ".py")
      found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string why_untimed(const CheckResult& result) {
  if (!result.errors.empty()) return result.errors.front().what;
  const auto failed = std::find_if(result.gates.begin(), result.gates.end(),
                                   [](const Gate& gate) { return gate.outcome == Outcome::fail; });
  return failed == result.gates.end() ? result.conclusion : failed->detail;
}

CheckResult check_with_ours(const Tree& tree, const Lab& lab, const VariantName& name,
                            const fs::path& source) {
  return klab::check({.tree = tree,
                      .lab = lab,
                      .variant = name,
                      .source = source,
                      .backend = Backend::gpu,
                      .with_optimized = true},
                     {}, canceled_by_user());
}

void compare_times(PeerTimes& comparison, const std::vector<double>& ours,
                   const std::vector<double>& peer) {
  comparison.ours_s = median_interval(ours);
  comparison.peer_s = median_interval(peer);
  comparison.ratio = ratio_interval(peer, ours);
  if (!comparison.ratio) comparison.why_missing = "Too few samples for an interval.";
}

void compare_kernel(PeerTimes& comparison, const Tree& tree, const Lab& lab,
                    const fs::path& source) {
  const CheckResult result = check_with_ours(tree, lab, VariantName(comparison.peer), source);
  const VariantTimes* ours = find_in(result.timing.variants, VariantName::optimized);
  const VariantTimes* peer = find_in(result.timing.variants, VariantName::mine);
  if (ours && peer)
    compare_times(comparison, ours->samples_s, peer->samples_s);
  else
    comparison.why_missing = why_untimed(result);
}

/// Positive, finite numbers, one a line; other lines are passed over.
std::vector<double> seconds_in(const std::string& text) {
  std::vector<double> seconds;
  for (const std::string& line : split_lines(text)) {
    double value = 0;
    const char* const last = line.data() + line.size();
    const auto [end, failure] = std::from_chars(line.data(), last, value);
    if (failure == std::errc{} && end == last && std::isfinite(value) && value > 0)
      seconds.push_back(value);
  }
  return seconds;
}

void compare_script(PeerTimes& comparison, const Tree& tree, const Lab& lab,
                    const fs::path& script) {
  const CheckResult result = check_with_ours(tree, lab, VariantName::optimized, lab.optimized());
  const VariantTimes* ours = find_in(result.timing.variants, VariantName::optimized);
  if (!ours) {
    comparison.why_missing = why_untimed(result);
    return;
  }
  ProcessRequest request{.command = {"python3", script.string()},
                         .time_limit_s = script_time_limit_s};
  for (const auto extent : lab.sizes.timing) request.command.push_back(std::to_string(extent));
  const auto run = run_process(request, {}, &canceled_by_user());
  if (!run)
    comparison.why_missing = run.error().what;
  else if (run->exit_code != 0)
    comparison.why_missing = "The script did not finish: " + printable(run->err.substr(0, 200));
  else
    compare_times(comparison, ours->samples_s, seconds_in(run->out));
}

Json to_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {{"low", interval->low}, {"median", interval->median}, {"high", interval->high}};
}

Json to_json(const DeviceFacts& device, const std::vector<PeerTimes>& comparisons) {
  Json array = Json::array();
  for (const PeerTimes& comparison : comparisons) {
    Json item = {{"lab", comparison.lab},
                 {"peer", comparison.peer},
                 {"digest", comparison.digest},
                 {"ours_s", to_json(comparison.ours_s)},
                 {"peer_s", to_json(comparison.peer_s)},
                 {"ratio", to_json(comparison.ratio)}};
    if (!comparison.ratio) item["reason"] = comparison.why_missing;
    array.push_back(item);
  }
  return {{"date", now_utc()}, {"device", klab::to_json(device)}, {"peers", array}};
}

std::string table_text(const Context& context, const std::vector<PeerTimes>& comparisons) {
  Table table("lrrrl");
  table.add({{"lab and peer"}, {"ours"}, {"peer"}, {"peer / ours"}, {""}});
  for (const PeerTimes& comparison : comparisons) {
    const auto seconds = [](const std::optional<Interval>& interval) {
      return interval ? format_seconds(interval->median) : std::string(missing_text);
    };
    const auto& ratio = comparison.ratio;
    table.add(
        {{comparison.lab + ", " + comparison.peer},
         {seconds(comparison.ours_s)},
         {seconds(comparison.peer_s)},
         {ratio ? format_number(ratio->median) + "x" : std::string(missing_text), Tone::strong},
         {ratio ? format_number(ratio->low) + " to " + format_number(ratio->high)
                : printable(comparison.why_missing),
          Tone::faint}});
  }
  return table.text(context.out);
}

}  // namespace

int bench_peers(const Context& context, const BenchOptions& options, const DeviceFacts& device,
                const std::vector<Lab>& labs) {
  std::vector<PeerTimes> comparisons;
  for (const Lab& lab : labs) {
    for (const fs::path& peer : peers_of(lab)) {
      if (canceled_by_user()) break;
      say(context, lab.id + ", " + peer.filename().string() + " …");
      PeerTimes comparison{.lab = lab.id, .peer = peer.filename().string()};
      if (const auto source = read_file(peer)) comparison.digest = sha256(*source);
      if (peer.extension() == ".cu")
        compare_kernel(comparison, context.tree, lab, peer);
      else
        compare_script(comparison, context.tree, lab, peer);
      comparisons.push_back(std::move(comparison));
    }
  }
  const Json record = to_json(device, comparisons);
  if (!options.output.empty())
    if (auto written = write_file(fs::absolute(options.output), json_text(record, 2) + "\n");
        !written)
      return fail(context, written.error(), options.json);
  if (options.json)
    print_json(record);
  else
    print(
        "\n  " + context.out.paint(Tone::strong, printable(device.name)) + "\n\n" +
        (comparisons.empty() ? "  These labs have no peers.\n" : table_text(context, comparisons)) +
        "\n");
  return canceled_by_user() ? exit_stopped : exit_ok;
}

}  // namespace klab::cli
