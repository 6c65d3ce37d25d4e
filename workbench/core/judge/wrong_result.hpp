// What to look for in a kernel whose result is wrong.
#pragma once

#include <string>
#include <vector>

#include "core/wire/protocol.hpp"

namespace klab {

std::string remedy_for(ResultProblem problem);
/// Of the first one of `verified` that is wrong. `flushes`: the kernels have instructions with
/// .ftz.
std::string remedy_for(const record::Verified& wrong, const std::vector<record::Verified>& verified,
                       bool flushes);
/// The same where the result is what a benchmark reports of its jobs, in seconds: what is wrong
/// with the first time that none can be, and what to look for. `wrong` names the job.
struct WrongReport {
  std::string what, remedy;
};
WrongReport wrong_report(const record::Verified& wrong);
/// Of a launch behind those that were checked, which were right.
std::string remedy_for_later(ResultProblem problem);

}  // namespace klab
