// KernelFacts: everything a diagnosis may rest on, each part absent where it was not obtained.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/ceilings.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/stall_samples.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// One number that speaks for or against a class.
struct EvidenceRow {
  std::string label;            ///< "Device memory throughput"
  std::optional<double> value;  ///< always there except for evidence in words alone
  std::string unit;             ///< as format_value() reads it
  Source source = Source::measured;
  std::string says;  ///< what follows: "60 % and more limits a kernel"
};

/// An input that a rule needs and does not have.
struct Lack {
  std::string what;  ///< "Device memory throughput"
  Advice why;        ///< "needs a GPU", "not collected"

  bool operator==(const Lack&) const = default;
};

struct KernelFacts {
  VariantName variant;
  bool simulated = false;                    ///< counted by the simulator: there are no times
  Counters counters;                         ///< of every source: counters, trace, compiler
  std::optional<double> seconds;             ///< median time of one run
  std::map<std::string, double> ceilings;    ///< measured on this device, by name (ceilings.hpp)
  std::map<std::string, double> stalls_pct;  ///< share of the samples by stall reason

  std::optional<double> value(std::string_view metric) const;
  /// The metric as a row of evidence; without a value if there is none.
  EvidenceRow evidence(std::string_view metric, std::string says) const;
  /// Why the metric has no value.
  Lack lack(std::string_view metric) const;
  /// The lacks among `metrics`.
  std::vector<Lack> lacks(std::initializer_list<std::string_view> metrics) const;
};

/// The facts of one variant of a check. `ceilings` may be
/// nullptr.
KernelFacts facts_from(const CheckResult& result, const VariantName& variant,
                       const Ceilings* ceilings = nullptr);

/// The catalogue metrics that the rules read and that hardware counters or the simulator give.
std::vector<std::string> diagnosis_metrics();

nlohmann::json to_json(const KernelFacts& facts);
/// Whatever is missing or of the wrong kind is left out.
KernelFacts facts_from(const nlohmann::json& json);
/// The same for records that hold them (json_fields.hpp).
bool read_json(const nlohmann::json& json, KernelFacts& facts);

}  // namespace klab
