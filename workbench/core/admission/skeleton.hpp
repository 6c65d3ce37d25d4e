// Skeleton: the three folders of a lab that is about to be written, from one that is there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/admission/structure.hpp"
#include "core/base/result.hpp"
#include "core/course/lab.hpp"

namespace klab {

/// What stands where who writes the lab has something to say yet. A learner's own TODO is another.
inline constexpr std::string_view author_mark = "TODO(author)";

/// Makes labs/, kernels/ and solutions/<NN_slug>/: facts, contract, workload and kernels as `like`
/// has them, so that they build at once, and author_mark wherever the new lab differs. The answer
/// is the files in the order in which to write them. Errors: ErrorCode::usage for a number or name
/// that is impossible or taken; io.
Result<std::vector<std::filesystem::path>> make_skeleton(const Lab& like, int number,
                                                         const std::string& slug);

/// Every author_mark that is left in a lab's files, with file and line.
Faults unwritten(const Lab& lab);

}  // namespace klab
