// A roofline as JSON: what was measured, and beside it what follows.
#include "core/investigate/roofline_rules.hpp"
#include "core/measure/ceilings_fields.hpp"
#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using json_reading::number;
using nlohmann::json;

/// More variants than any lab has: what is longer was not written by us.
constexpr std::size_t most_kernels = 64;

std::string_view standing_name(Standing::Kind kind) {
  switch (kind) {
    case Standing::Kind::at_memory:
      return "at a memory roof";
    case Standing::Kind::at_arithmetic:
      return "at a roof of arithmetic";
    case Standing::Kind::between:
      return "near a roof";
    case Standing::Kind::far:
      return "far from every roof";
    case Standing::Kind::impossible:
      return "impossible";
    case Standing::Kind::unknown:
      break;
  }
  return "unknown";
}

/// What the rules make of it, for whoever reads the record without them.
json conclusion_json(const Roofline& roofline, const RooflineKernel& kernel) {
  json intensities = json::object(), shares = json::array();
  for (const MemoryLevel level : all_memory_levels)
    intensities[std::string(to_string(level))] = number(intensity(kernel, level));
  for (const RoofShare& share : roof_shares(roofline.ceilings, kernel))
    shares.push_back({{"roof", share.roof.label},
                      {"ceiling", share.roof.ceiling},
                      {"percent", number(share.percent)}});
  const Standing stands = standing(roofline, kernel);
  return {{"variant", kernel.variant},
          {"flop_per_byte", std::move(intensities)},
          {"flop_per_s", number(flop_rate(kernel))},
          {"shares", std::move(shares)},
          {"standing", standing_name(stands.kind)},
          {"meaning", shell_words(stands.meaning)},
          {"position", stands.position},
          {"waste", stands.waste}};
}

json ridges_json(const Ceilings& ceilings) {
  json ridges = json::object();
  for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1})
    for (const Arithmetic unit : all_arithmetic)
      ridges[std::string(to_string(level))][std::string(to_string(unit))] =
          number(ridge(ceilings, level, unit));
  return ridges;
}

/// The counters under the names of their levels or units.
template <class Visit, class Key, class From>
void named_field(Visit& visit, const char* name, std::map<Key, CounterValue>& values, From from) {
  Counters counters;
  for (const auto& [key, value] : values) counters[std::string(to_string(key))] = value;
  visit(name, counters);
  if constexpr (Visit::reads)
    for (const auto& [key, value] : counters)
      if (const auto known = from(key)) values[*known] = value;
}

}  // namespace

template <class Visit>
void fields(Visit& visit, RooflineKernel& kernel) {
  visit("variant", kernel.variant);
  visit("seconds", kernel.seconds);
  named_field(visit, "bytes", kernel.bytes, memory_level_from);
  named_field(visit, "flops", kernel.flops, arithmetic_from);
}

template <class Visit>
void fields(Visit& visit, Roofline& roofline) {
  visit("ceilings", roofline.ceilings);
  visit("wgmma", roofline.wgmma);
  visit("host_clock", roofline.host_clock);
  visit("kernels", roofline.kernels);
  visit("least_bytes", roofline.least_bytes);
  visit("least_flops", roofline.least_flops);
  visit("notes", roofline.notes);
  if constexpr (Visit::reads) return;
  json conclusions = json::array();
  for (const RooflineKernel& kernel : roofline.kernels)
    conclusions.push_back(conclusion_json(roofline, kernel));
  visit("ridges_flop_per_byte", ridges_json(roofline.ceilings));
  visit("conclusions", conclusions);
}

json to_json(const Roofline& roofline) { return json_fields::of_fields(roofline); }

Result<Roofline> roofline_from(const json& object) {
  const json& kernels = json_reading::part(object, "kernels");
  if (!kernels.is_array() || kernels.size() > most_kernels)
    return make_error(ErrorCode::io, "A roofline holds no list of kernels.");
  return json_fields::lenient<Roofline>(object);
}

}  // namespace klab
