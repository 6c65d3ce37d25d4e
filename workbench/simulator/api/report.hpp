// What the runner is told, in JSON.
#pragma once

#include <nlohmann/json.hpp>

namespace klab::sim {

using Json = nlohmann::json;

class OrderLog;
class Runtime;
struct Finding;
struct Missing;

Json json_of(const Finding& finding);
Json json_of(const Missing& missing);
Json report_of(Runtime& runtime);
Json order_of(const OrderLog& log);

}  // namespace klab::sim
