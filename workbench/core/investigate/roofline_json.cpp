// A roofline as JSON: what was measured, and beside it what follows.
#include "core/investigate/roofline_rules.hpp"
#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using nlohmann::json;
using namespace json_reading;

/// More variants than any lab has: what is longer was not written by us.
constexpr std::size_t most_kernels = 64;

/// The counters under the names of their levels or units.
template <class Key>
Counters named(const std::map<Key, CounterValue>& values) {
  Counters counters;
  for (const auto& [key, value] : values) counters[std::string(to_string(key))] = value;
  return counters;
}

json kernel_json(const RooflineKernel& kernel) {
  return {{"variant", kernel.variant},
          {"seconds", interval_json(kernel.seconds)},
          {"bytes", to_json(named(kernel.bytes))},
          {"flops", to_json(named(kernel.flops))}};
}

RooflineKernel roofline_kernel_from(const json& object) {
  RooflineKernel kernel;
  kernel.variant = VariantName(get<std::string>(object, "variant", ""));
  kernel.seconds = interval_from(part(object, "seconds"));
  for (auto& [name, counter] : counters_from(part(object, "bytes")))
    if (const auto level = memory_level_from(name)) kernel.bytes[*level] = counter;
  for (auto& [name, counter] : counters_from(part(object, "flops")))
    if (const auto unit = arithmetic_from(name)) kernel.flops[*unit] = counter;
  return kernel;
}

std::string_view word(Standing::Kind kind) {
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
          {"standing", word(stands.kind)},
          {"meaning", stands.meaning},
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

Ceilings ceilings_from(const json& object) {
  Ceilings ceilings;
  ceilings.device = get<std::string>(object, "device", "");
  ceilings.driver = get<std::string>(object, "driver", "");
  ceilings.date = get<std::string>(object, "date", "");
  ceilings.multiprocessors = get(object, "multiprocessors", 0);
  for (const auto& [name, value] : part(object, "values").items())
    if (find_ceiling(name) && value.is_number()) ceilings.values[name] = value.get<double>();
  return ceilings;
}

}  // namespace

json to_json(const Roofline& roofline) {
  json kernels = json::array(), conclusions = json::array();
  for (const RooflineKernel& kernel : roofline.kernels) {
    kernels.push_back(kernel_json(kernel));
    conclusions.push_back(conclusion_json(roofline, kernel));
  }
  const Ceilings& ceilings = roofline.ceilings;
  return {{"ceilings",
           {{"device", ceilings.device},
            {"multiprocessors", ceilings.multiprocessors},
            {"driver", ceilings.driver},
            {"date", ceilings.date},
            {"values", ceilings.values}}},
          {"wgmma", roofline.wgmma},
          {"host_clock", roofline.host_clock},
          {"kernels", std::move(kernels)},
          {"least_bytes", number(roofline.least_bytes)},
          {"least_flops", number(roofline.least_flops)},
          {"notes", roofline.notes},
          {"ridges_flop_per_byte", ridges_json(ceilings)},
          {"conclusions", std::move(conclusions)}};
}

Result<Roofline> roofline_from(const json& object) {
  const json& kernels = part(object, "kernels");
  if (!kernels.is_array() || kernels.size() > most_kernels)
    return make_error(ErrorCode::io, "A roofline holds no list of kernels.");
  Roofline roofline;
  roofline.ceilings = ceilings_from(part(object, "ceilings"));
  roofline.wgmma = get(object, "wgmma", false);
  roofline.host_clock = get(object, "host_clock", false);
  for (const json& kernel : kernels)
    if (kernel.is_object()) roofline.kernels.push_back(roofline_kernel_from(kernel));
  roofline.least_bytes = optional_number(object, "least_bytes");
  roofline.least_flops = optional_number(object, "least_flops");
  roofline.notes = strings(part(object, "notes"));
  return roofline;
}

}  // namespace klab
