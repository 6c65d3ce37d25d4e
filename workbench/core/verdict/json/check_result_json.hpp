// CheckResult as JSON: the one record format of `--json`, the journal and recorded results.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/verdict/check_result.hpp"

namespace klab {

/// Keys: lab, variant, backend, verdict, conclusion, gates[{name, subject, verdict, measured,
/// target, unit, source, detail, advice}], times, ratio{median, low, high}, counters, compiler,
/// device, seed, date, source_digest, errors, phase_seconds. A number that was not obtained is
/// null.
nlohmann::json to_json(const CheckResult& result);
/// The inverse; ErrorCode::io if `json` is not such a record.
Result<CheckResult> check_result_from(const nlohmann::json& json);

/// What is missing or of another type is left at its default.
nlohmann::json to_json(const KernelReport& kernel);
nlohmann::json to_json(const DeviceFacts& device);
DeviceFacts device_from(const nlohmann::json& json);
nlohmann::json to_json(const Error& error);
Error error_from(const nlohmann::json& json);
nlohmann::json to_json(const Counters& counters);

// For records that hold them (json_fields.hpp): false if `json` is none.
nlohmann::json to_json(const Interval& interval);
bool read_json(const nlohmann::json& json, Interval& interval);
bool read_json(const nlohmann::json& json, Error& error);
bool read_json(const nlohmann::json& json, DeviceFacts& device);
nlohmann::json to_json(const Gate& gate);
bool read_json(const nlohmann::json& json, Gate& gate);

}  // namespace klab
