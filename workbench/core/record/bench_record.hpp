// What `klab bench` measured of labs on one GPU, as it is kept in docs/results/bench/.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"

namespace klab {

/// Adds `record`, an object as `klab bench --json` prints it, to the one at `path`: its labs take
/// the place of what was there of them. Of another GPU, or another driver, nothing is kept. Errors:
/// ErrorCode::io for a file that cannot be written or is no such record, which stays as it was.
Result<> add_figures(const std::filesystem::path& path, const nlohmann::json& record);

/// Figures are about kernels: those of a lab whose kernels have changed go, from every record in
/// `folder`. Errors: io.
Result<> prune_figures(const std::filesystem::path& folder, const Course& course);

}  // namespace klab
