// Ceilings: what this device was measured to do at best, and the time no honest kernel can beat.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/advice.hpp"
#include "core/base/result.hpp"
#include "core/measure/least_work.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// What is measured, by the name used in lab.toml and in records.
struct CeilingInfo {
  std::string_view name;       ///< "dram_copy"
  std::string_view label;      ///< "Copy within device memory"
  std::string_view unit;       ///< "byte/s", "flop/s" or "s"
  std::string_view meaning;    ///< one or two sentences
  std::optional<Resource> of;  ///< what of a task's least work it is a ceiling of
};
std::span<const CeilingInfo> ceiling_catalogue();
/// nullptr for an unknown name.
const CeilingInfo* find_ceiling(std::string_view name);

/// What to do about a ceiling that was not measured yet.
inline const Advice unmeasured_remedy =
    "Measure once on this machine, with " + Act{Verb::measure_device} + ".";

/// The measured ceilings of one device under one driver.
struct Ceilings {
  std::string device;  ///< DeviceFacts::name
  int multiprocessors = 0;
  std::string driver;
  std::string date;                      ///< ISO 8601, UTC; empty if nothing was measured
  std::map<std::string, double> values;  ///< by name, in the unit that the catalogue gives

  /// nullopt if it was not measured on this device; the remedy is unmeasured_remedy.
  std::optional<double> value(std::string_view name) const;
};

/// The file that holds a device's ceilings: one for each name and number of multiprocessors.
std::filesystem::path ceilings_file(const std::filesystem::path& cache_folder,
                                    const DeviceFacts& device);

/// The cached ceilings of `device`. No file, or one of another driver, is not an error: nothing is
/// measured then. Errors: ErrorCode::io for a file that cannot be read or is not ours.
Result<Ceilings> load_ceilings(const std::filesystem::path& cache_folder,
                               const DeviceFacts& device);

/// Writes the device's file in one step (a reader sees the old or the new one). Unknown names and
/// values that are not positive and finite are refused. Errors: ErrorCode::io, ErrorCode::usage.
Result<> save_ceilings(const std::filesystem::path& cache_folder, const DeviceFacts& device,
                       const std::string& date, const std::map<std::string, double>& values);

/// The physics floor in seconds: each resource that the task takes at the fastest rate measured for
/// it, whichever takes longest (the roofline: Williams, Waterman, Patterson, 2009). What fits the
/// L2 may still be there when the clock stops, so `l2_bytes` of device memory are not counted.
/// Arithmetic counts only where the tensor cores were measured too, and at the fastest rate of any
/// unit, as a kernel may use them. nullopt if nothing measured bounds the task.
std::optional<double> least_time_s(const LeastWork& task, const Ceilings& ceilings,
                                   std::int64_t l2_bytes);

}  // namespace klab
