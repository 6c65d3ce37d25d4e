// StallSamples: where the warps of one kernel file were when the hardware looked, and what they
// waited for.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/line_heat.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Samples that found a warp at one instruction.
struct StallPc {
  std::string kernel;                   ///< demangled name of the function
  std::optional<std::uint64_t> offset;  ///< of the instruction in it, in bytes of machine code;
                                        ///< absent: the sum of those sampled too rarely to list
  std::string file;                     ///< of its source; empty if there is no line information
  std::optional<int> line;
  std::map<std::string, std::int64_t> by_reason;  ///< samples by stall reason (stall_reasons.hpp)
  std::int64_t not_issued = 0;  ///< of these, taken while the scheduler issued nothing

  std::int64_t samples() const;
};

struct StallSamples {
  VariantName variant;
  int launches = 0;                     ///< sampled ones, on the same inputs
  std::optional<double> period_cycles;  ///< between two samples of one multiprocessor
  std::int64_t dropped = 0;             ///< lost in the hardware
  std::int64_t elsewhere = 0;           ///< in kernels that are not the kernel file's
  bool buffer_full = false;             ///< sampling ended early: the hardware's buffer was full
  std::vector<StallPc> pcs;             ///< hottest first

  std::int64_t samples() const;  ///< of all pcs
};

/// Samples by reason over all instructions, as shares of 100; empty without samples.
std::map<std::string, double> stall_shares_pct(const StallSamples& samples);

/// One entry for each source line, hottest first, `value` in samples.
std::vector<LineHeat> line_heat(const StallSamples& samples);

nlohmann::json to_json(const StallSamples& samples);
/// Whatever is missing or of the wrong kind is left out: records may come from anywhere.
StallSamples stall_samples_from(const nlohmann::json& json);
/// The same for records that hold them (json_fields.hpp).
bool read_json(const nlohmann::json& json, StallSamples& samples);

}  // namespace klab
