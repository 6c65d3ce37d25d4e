// Sums over stall samples, and their record.
#include "core/verdict/stall_samples.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// Far beyond any kernel; a record that lists more is cut.
constexpr std::size_t most_pcs = 100'000;

std::int64_t count_of(const json& object, const char* key) {
  return std::max<std::int64_t>(0, json_reading::get<std::int64_t>(object, key, 0));
}

StallPc pc_from(const json& object) {
  using namespace json_reading;
  StallPc pc;
  pc.kernel = get<std::string>(object, "kernel", "");
  if (const auto offset = optional_number(object, "offset"); offset && *offset >= 0)
    pc.offset = static_cast<std::uint64_t>(*offset);
  pc.file = get<std::string>(object, "file", "");
  if (const int line = get<int>(object, "line", 0); line > 0) pc.line = line;
  const json& reasons = part(object, "by_reason");
  if (reasons.is_object())
    for (const auto& [reason, count] : reasons.items())
      if (count.is_number_integer() && count.get<std::int64_t>() > 0)
        pc.by_reason[reason] = count.get<std::int64_t>();
  pc.not_issued = count_of(object, "not_issued");
  return pc;
}

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

json to_json(const StallSamples& samples) {
  json pcs = json::array();
  for (const StallPc& pc : samples.pcs)
    pcs.push_back({{"kernel", pc.kernel},
                   {"offset", pc.offset ? json(*pc.offset) : json(nullptr)},
                   {"file", pc.file},
                   {"line", pc.line ? json(*pc.line) : json(nullptr)},
                   {"by_reason", pc.by_reason},
                   {"not_issued", pc.not_issued}});
  return {{"variant", samples.variant},
          {"launches", samples.launches},
          {"period_cycles", json_reading::number(samples.period_cycles)},
          {"samples", samples.samples()},
          {"dropped", samples.dropped},
          {"elsewhere", samples.elsewhere},
          {"buffer_full", samples.buffer_full},
          {"pcs", std::move(pcs)}};
}

StallSamples stall_samples_from(const json& object) {
  using namespace json_reading;
  StallSamples samples;
  if (!object.is_object()) return samples;
  samples.variant = VariantName(get<std::string>(object, "variant", ""));
  samples.launches = get<int>(object, "launches", 0);
  samples.period_cycles = optional_number(object, "period_cycles");
  samples.dropped = count_of(object, "dropped");
  samples.elsewhere = count_of(object, "elsewhere");
  samples.buffer_full = get<bool>(object, "buffer_full", false);
  const json& pcs = part(object, "pcs");
  if (!pcs.is_array()) return samples;
  for (const json& pc : pcs)
    if (pc.is_object() && samples.pcs.size() < most_pcs) samples.pcs.push_back(pc_from(pc));
  return samples;
}

}  // namespace klab
