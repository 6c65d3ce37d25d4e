// ncu's view of a launch: the command that profiles a runner's launches, and reading its CSV.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Restricts ncu to kernels of a variant's timed launches: the runner marks these with an NVTX
/// range, so that neither inputs nor cache flushes nor waits are profiled.
std::vector<std::string> ncu_only_launches(const VariantName& variant);

/// One profiled kernel.
struct NcuKernel {
  std::string name;                      ///< as ncu prints it
  std::map<std::string, double> values;  ///< by metric, in base units (byte, ns)
};

/// Reads what `ncu --csv --page raw --print-units base` prints: the program's own output and ncu's
/// messages, then a header, a line of units and one line a kernel. Errors: ErrorCode::io if there
/// is no such table; a cell that is no number is left out.
Result<std::vector<NcuKernel>> parse_ncu_csv(std::string_view text);

}  // namespace klab
