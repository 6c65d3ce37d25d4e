// StallReport: what warps wait for, by reason and by line.
#include "core/stalls.hpp"

#include <nlohmann/json.hpp>

#include "core/prepared_lab.hpp"

namespace klab {

Result<StallReport> find_stalls(const PreparedLab&, const OnCheckEvent&, const std::atomic<bool>&) {
  return make_error(ErrorCode::unsupported, "This is not built yet.");
}

nlohmann::json to_json(const StallReport&) { return nlohmann::json::object(); }

Result<StallReport> stalls_from(const nlohmann::json&) { return StallReport{}; }

}  // namespace klab
