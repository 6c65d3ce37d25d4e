// What the simulator's checker found, as a gate tells it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// One kind of finding at one line, with the number of runs that showed it: every size is run
/// twice.
struct SeenFinding {
  record::Finding finding;
  std::size_t runs = 1;
};

/// Each kind and line once, in the order in which they were found; races within a warp come last,
/// and not at all where warps race at the same line: a barrier of the block mends both.
std::vector<SeenFinding> seen_once(const std::vector<record::Finding>& findings);

/// A line for each, with place and number of runs; after the first few, how many more there are.
std::string told(const std::vector<SeenFinding>& seen);

/// Files inside the tree are named from its root, as a learner knows them: nvcc writes whole paths.
std::vector<record::Finding> named_from(const std::filesystem::path& root,
                                        std::vector<record::Finding> findings);

/// What the gate correct is about: where a lab teaches to keep no memory, a cause tells of that.
std::vector<record::Finding> findings_for(const Lab& lab, std::vector<record::Finding> findings);

}  // namespace klab
