// Sweep: time and counters over a range of one parameter.
#include "core/sweep.hpp"

#include <nlohmann/json.hpp>

#include "core/prepared_lab.hpp"

namespace klab {

Result<Sweep> find_sweep(const PreparedLab&, const SweepPlan&, const OnCheckEvent&,
                         const std::atomic<bool>&) {
  return make_error(ErrorCode::unsupported, "This is not built yet.");
}

nlohmann::json to_json(const Sweep&) { return nlohmann::json::object(); }

Result<Sweep> sweep_from(const nlohmann::json&) { return Sweep{}; }

}  // namespace klab
