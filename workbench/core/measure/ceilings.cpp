// Ceilings: their catalogue, the cache file of a device, and the physics floor.
#include "core/measure/ceilings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/measure/ceilings_fields.hpp"

namespace klab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Raised when the catalogue grows or is measured otherwise, so that what an older version measured
/// is measured anew.
constexpr int file_format = 5;
/// Ours are below 2 KiB; anything much larger was not written by us.
constexpr std::uintmax_t largest_file_bytes = 64 * 1024;

constexpr std::array<CeilingInfo, 17> known_ceilings = {{
    {"dram_copy", "Copy within device memory", "byte/s",
     "Bytes read plus bytes written per second by a copy far larger than the L2.",
     Resource::device_memory},
    {"dram_read", "Read of device memory", "byte/s",
     "Bytes per second of a kernel that reads a large array and keeps only a sum.",
     Resource::device_memory},
    {"dram_triad", "Triad in device memory", "byte/s",
     "Bytes per second of a[i] = b[i] + s * c[i] over large arrays: two reads for each write.",
     Resource::device_memory},
    {"l2_read", "Read of the L2", "byte/s",
     "Bytes per second that all multiprocessors together read from an array well inside the L2, "
     "past their L1.",
     std::nullopt},
    {"l1_read", "Read of the L1", "byte/s",
     "Bytes per second that all multiprocessors together read from arrays inside their own L1.",
     std::nullopt},
    {"shared_memory", "Shared memory", "byte/s",
     "Bytes per second that all multiprocessors together load from shared memory without bank "
     "conflicts.",
     std::nullopt},
    {"fp32_fma", "FP32 arithmetic", "flop/s",
     "Operations per second of independent fused multiply-adds in registers, each counted as two.",
     Resource::fp32},
    {"fp16_fma", "FP16 arithmetic", "flop/s",
     "Operations per second of independent fused multiply-adds on pairs of half-precision numbers "
     "in registers, each instruction counted as four.",
     Resource::fp16},
    {"fp64_fma", "FP64 arithmetic", "flop/s",
     "Operations per second of independent double-precision fused multiply-adds in registers.",
     Resource::fp64},
    {"bf16_tensor", "Tensor cores, BF16 (mma.sync)", "flop/s",
     "Operations per second of the warp's matrix instruction mma.sync on BF16 inputs in registers.",
     Resource::tensor_half},
    {"bf16_wgmma", "Tensor cores, BF16 (wgmma)", "flop/s",
     "Operations per second of the warpgroup's matrix instruction wgmma on BF16 inputs in shared "
     "memory. Only compute capability 9.0 has it.",
     Resource::tensor_half},
    {"empty_launch", "Empty kernel launch", "s",
     "Seconds per launch of a kernel that does nothing, many in a row.", std::nullopt},
    {"pinned_host_to_device", "Copy to the device, pinned", "byte/s",
     "Bytes per second from page-locked host memory to the device.", Resource::to_device},
    {"pinned_device_to_host", "Copy to the host, pinned", "byte/s",
     "Bytes per second from the device to page-locked host memory.", Resource::to_host},
    {"pageable_host_to_device", "Copy to the device, pageable", "byte/s",
     "Bytes per second from ordinary host memory to the device.", Resource::to_device},
    {"pageable_device_to_host", "Copy to the host, pageable", "byte/s",
     "Bytes per second from the device to ordinary host memory.", Resource::to_host},
    {"peer_copy", "Copy between two devices", "byte/s",
     "Bytes per second from one device to another, by the driver or by a kernel that reads or "
     "writes there, whichever is fastest.",
     Resource::peer},
}};

bool positive(double value) { return std::isfinite(value) && value > 0; }

Ceilings nothing_measured(const DeviceFacts& device) {
  return {device.name, device.multiprocessors, device.driver, {}, {}};
}

/// The fastest rate measured of what `bounds` accepts; 0 if none was.
template <class Accepts>
double fastest(const Ceilings& ceilings, Accepts bounds) {
  double rate = 0;
  for (const CeilingInfo& info : known_ceilings)
    if (info.of && bounds(*info.of)) rate = std::max(rate, ceilings.value(info.name).value_or(0));
  return rate;
}

}  // namespace

std::span<const CeilingInfo> ceiling_catalogue() { return known_ceilings; }

const CeilingInfo* find_ceiling(std::string_view name) {
  const auto found = std::find_if(known_ceilings.begin(), known_ceilings.end(),
                                  [&](const CeilingInfo& info) { return info.name == name; });
  return found == known_ceilings.end() ? nullptr : &*found;
}

std::optional<double> Ceilings::value(std::string_view name) const {
  const auto found = values.find(std::string(name));
  if (found == values.end() || !positive(found->second)) return std::nullopt;
  return found->second;
}

fs::path ceilings_file(const fs::path& cache_folder, const DeviceFacts& device) {
  std::string name;
  for (const char c : device.name.substr(0, 80)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return cache_folder / fmt::format("ceilings_{}_{}.json", name, device.multiprocessors);
}

Result<Ceilings> load_ceilings(const fs::path& cache_folder, const DeviceFacts& device) {
  const fs::path file = ceilings_file(cache_folder, device);
  std::error_code error;
  if (device.simulated || !fs::exists(file, error)) return nothing_measured(device);
  const auto refuse = [&](const std::string& problem) {
    return make_error(ErrorCode::io, problem, "Delete the file. " + unmeasured_remedy);
  };
  const auto text = read_file(file, largest_file_bytes);
  if (!text) return refuse(text.error().what);
  const json root = json_from(*text);
  const json format = root.is_object() ? root.value("format", json()) : json();
  if (format.is_number_unsigned() && format < file_format) return nothing_measured(device);
  const std::string not_ours = file.string() + " holds no ceilings in a form this version reads";
  if (format != file_format) return refuse(not_ours + ".");
  auto ceilings = json_reading::decode_object<Ceilings>(
      root, json_fields::whole<Ceilings>,
      [&](const char* why) { return refuse(not_ours + ": " + why + "."); });
  if (!ceilings) return ceilings;
  for (const auto& [name, value] : ceilings->values)
    if (!positive(value)) return refuse(not_ours + ": " + name + " is not positive.");
  const bool same = ceilings->device == device.name && ceilings->driver == device.driver &&
                    ceilings->multiprocessors == device.multiprocessors;
  return same ? std::move(ceilings) : nothing_measured(device);
}

Result<> save_ceilings(const fs::path& cache_folder, const DeviceFacts& device,
                       const std::string& date, const std::map<std::string, double>& values) {
  if (device.simulated) {
    return make_error(ErrorCode::usage, "A simulated device has no ceilings.",
                      "Measure on a machine with a CUDA GPU.");
  }
  for (const auto& [name, value] : values) {
    if (find_ceiling(name) == nullptr || !positive(value)) {
      return make_error(ErrorCode::usage,
                        fmt::format("{} = {} is not a ceiling that can be kept.", name, value),
                        "Measure again; a ceiling is a positive number with a known name.");
    }
  }
  const Ceilings kept{device.name, device.multiprocessors, device.driver, date, values};
  json root = json_fields::of_fields(kept);
  root["format"] = file_format;
  const fs::path file = ceilings_file(cache_folder, device);
  return write_file(file, json_text(root, 2) + "\n");
}

std::optional<double> least_time_s(const LeastWork& task, const Ceilings& ceilings,
                                   std::int64_t l2_bytes) {
  const bool tensors_known = ceilings.value("bf16_tensor").has_value();
  double least = 0;
  for (const auto& [resource, amount] : task.amounts) {
    const bool arithmetic = is_arithmetic(resource);
    if (arithmetic && !tensors_known) continue;
    const double rate = fastest(ceilings, [&, wanted = resource](Resource one) {
      return one == wanted || (arithmetic && is_arithmetic(one));
    });
    const double kept = resource == Resource::device_memory ? static_cast<double>(l2_bytes) : 0;
    if (rate > 0) least = std::max(least, (amount - kept) / rate);
  }
  if (!positive(least)) return std::nullopt;
  return least;
}

}  // namespace klab
