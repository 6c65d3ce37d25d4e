// LeastWork: what a task cannot do without, by the resource that it takes; and what was counted of
// it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/check_result.hpp"

namespace klab {

/// What a kernel can run out of. Bytes for the ways of data, operations for arithmetic (a fused
/// multiply-add is two), updates for atomics.
enum class Resource {
  device_memory,  ///< bytes read plus bytes written
  to_device,      ///< bytes from the host
  to_host,        ///< bytes to the host
  peer,           ///< bytes between two devices
  fp32,
  fp16,
  fp64,
  tensor_half,  ///< FP16 or BF16 inputs
  tensor_fp8,
  atomics  ///< updates of one word that others update too
};
inline constexpr std::array all_resources = {
    Resource::device_memory, Resource::to_device, Resource::to_host, Resource::peer,
    Resource::fp32,          Resource::fp16,      Resource::fp64,    Resource::tensor_half,
    Resource::tensor_fp8,    Resource::atomics};
/// "device_memory", ...: the name in records.
std::string_view to_string(Resource resource);
std::optional<Resource> resource_from(std::string_view name);
/// Arithmetic on floating-point numbers, whichever unit does it.
bool is_arithmetic(Resource resource);

/// The least that any correct kernel must do at a size. What is not named is 0.
struct LeastWork {
  std::map<Resource, double> amounts;  ///< all positive

  double of(Resource resource) const;
  /// Bytes through device memory.
  double bytes() const { return of(Resource::device_memory); }
  /// Floating-point operations of all kinds.
  double flops() const;
  bool operator==(const LeastWork&) const = default;
};

/// What a gate about counted operations is about.
inline constexpr std::string_view operations_subject = "floating-point operations";
/// What the simulator counts of them, by the catalogue's names.
inline constexpr std::array simulated_operations = {"flop_fp32", "flop_fp64", "flop_fp16",
                                                    "tensor_flop"};

/// Of all that kernels move. What copies move beside them is held against the same bound.
inline constexpr std::string_view sectors_metric = "sectors_of_minimum";

/// One kind of work that was counted and that the task cannot do without.
struct CountedWork {
  std::string what;  ///< "floating-point operations", "bytes of memory"
  double counted = 0;
  double least = 0;
  Source source = Source::measured;

  bool falls_short() const;
};

/// A GPU's counters see no kernel that a graph starts.
bool sees_all_kernels(const Counters& counters);

/// Whether the counters hold all operations of the launch: every unit was counted, no graph started
/// its kernels, and no tensor core took part.
bool tells_operations(const Counters& counters);

/// Bytes that copies within the device and memsets read and wrote, by whole sectors where those
/// were counted: a column of 4-byte words moves 32 bytes for each. No counter of kernels sees them.
double bytes_beside_kernels(const Counters& counters);

/// Bytes that went in the busier direction between host and device. What is sent beyond the task's
/// bytes, as the same array again, does not count; where the task's are not known, all do.
double bytes_across(const LeastWork& least, double to_device, double to_host);

/// Whether those were counted at all: a trace or the simulator tells them.
bool knows_bytes_beside_kernels(const Counters& counters);

/// The kinds of which both are known: operations on floating-point numbers, whichever unit did
/// them, and bytes that loads, stores and copies moved. Copies from and to the host count where the
/// task has some. A kind that falls short is left out where
/// the counters do not hold all of it; empty where nothing was counted.
std::vector<CountedWork> counted_work(const LeastWork& least, const Counters& counters);

/// What a launch asked of CUDA before it was counted.
struct LaunchShape {
  bool one_kernel = false;  ///< and nothing else for the device to do
  /// How far a stream or an event is, or what memory is free: counting answers it otherwise.
  bool asks_if_done = false;
  int pieces = 0;  ///< kernels, graphs, copies and fills, as they were asked for
};

/// Whether operations are among them.
bool has_operations(const std::vector<CountedWork>& counted);

/// Whether the launch that was counted and those that were timed can have been the same work: their
/// durations agree within a factor, and what counting adds: also between its pieces, which come one
/// by one from a host that is watched. One that allocates may take longer when timed, since a
/// profiler's clock runs while kernels do.
bool same_duration(double counted_s, double timed_s, const LaunchShape& shape,
                   bool allocates = false);
/// Whether the launch was traced to take memory of any kind.
bool allocates(const Counters& counters);

}  // namespace klab
