// Roofline: achieved rates against the ceilings measured on this device.
#include "core/roofline.hpp"

#include <nlohmann/json.hpp>

#include "core/prepared_lab.hpp"

namespace klab {

Result<Roofline> find_roofline(const PreparedLab&, const OnCheckEvent&, const std::atomic<bool>&) {
  return make_error(ErrorCode::unsupported, "This is not built yet.");
}

nlohmann::json to_json(const Roofline&) { return nlohmann::json::object(); }

Result<Roofline> roofline_from(const nlohmann::json&) { return Roofline{}; }

}  // namespace klab
