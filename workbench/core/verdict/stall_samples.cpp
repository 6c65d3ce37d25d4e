// Sums over stall samples, and their record.
#include "core/verdict/stall_samples.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// Far beyond any kernel; a record that lists more is cut.
constexpr std::size_t most_pcs = 100'000;

}  // namespace

std::int64_t StallPc::samples() const {
  return std::accumulate(by_reason.begin(), by_reason.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& reason) { return sum + reason.second; });
}

std::int64_t StallSamples::samples() const {
  return std::accumulate(pcs.begin(), pcs.end(), std::int64_t{0},
                         [](std::int64_t sum, const StallPc& pc) { return sum + pc.samples(); });
}

std::map<std::string, double> stall_shares_pct(const StallSamples& samples) {
  std::map<std::string, double> shares;
  const std::int64_t all = samples.samples();
  if (all <= 0) return shares;
  for (const StallPc& pc : samples.pcs)
    for (const auto& [reason, count] : pc.by_reason)
      shares[reason] += 100.0 * static_cast<double>(count) / static_cast<double>(all);
  return shares;
}

std::vector<LineHeat> line_heat(const StallSamples& samples) {
  std::map<std::tuple<std::string, int>, LineHeat> lines;
  for (const StallPc& pc : samples.pcs) {
    if (!pc.line || pc.file.empty()) continue;
    LineHeat& heat = lines[{pc.file, *pc.line}];
    heat.variant = samples.variant;
    heat.file = pc.file;
    heat.line = *pc.line;
    heat.unit = "samples";
    heat.source = Source::measured;
    for (const auto& [reason, count] : pc.by_reason) {
      heat.value += static_cast<double>(count);
      heat.by_reason[reason] += static_cast<double>(count);
    }
  }
  std::vector<LineHeat> hottest;
  for (auto& [place, heat] : lines) hottest.push_back(std::move(heat));
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const LineHeat& a, const LineHeat& b) { return a.value > b.value; });
  return hottest;
}

template <class Visit>
void fields(Visit& visit, StallPc& pc) {
  visit("kernel", pc.kernel);
  visit("offset", pc.offset);
  visit("file", pc.file);
  visit("line", pc.line);
  visit("by_reason", pc.by_reason);
  visit("not_issued", pc.not_issued);
  if constexpr (!Visit::reads) return;
  if (pc.line.value_or(1) < 1) pc.line.reset();
  std::erase_if(pc.by_reason, [](const auto& reason) { return reason.second <= 0; });
  pc.not_issued = std::max<std::int64_t>(0, pc.not_issued);
}

template <class Visit>
void fields(Visit& visit, StallSamples& samples) {
  visit("variant", samples.variant);
  visit("launches", samples.launches);
  visit("period_cycles", samples.period_cycles);
  visit("dropped", samples.dropped);
  visit("elsewhere", samples.elsewhere);
  visit("buffer_full", samples.buffer_full);
  visit("pcs", json_fields::at_most(most_pcs, samples.pcs, "it lists too many instructions"));
  if constexpr (!Visit::reads) visit("samples", samples.samples());  // for readers outside
  if constexpr (!Visit::reads) return;
  samples.dropped = std::max<std::int64_t>(0, samples.dropped);
  samples.elsewhere = std::max<std::int64_t>(0, samples.elsewhere);
}

json to_json(const StallSamples& samples) { return json_fields::of_fields(samples); }

StallSamples stall_samples_from(const json& object) {
  return json_fields::lenient<StallSamples>(object);
}

bool read_json(const json& object, StallSamples& samples) {
  samples = stall_samples_from(object);
  return true;
}

}  // namespace klab
