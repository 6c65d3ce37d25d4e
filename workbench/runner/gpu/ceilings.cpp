// Timing of the ceiling kernels and of host copies: medians of launches back to back.
#include "runner/gpu/ceilings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <vector>

#include "core/measure/statistics.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/cuda_handles.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/second_device.hpp"
#include "runner/gpu/ceiling_kernels.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// How long one ceiling is sampled.
constexpr Seconds budget{0.05};
constexpr int least_samples = 5;
constexpr int launches_in_a_row = 1000;
/// Per array; far beyond any L2. A device with little free memory gets an eighth of that.
constexpr std::size_t array_bytes = std::size_t{1} << 30;
constexpr std::size_t host_copy_bytes = std::size_t{1} << 26;
constexpr std::size_t granule_bytes = std::size_t{1} << 16;

/// Enqueues work and returns how much of it: bytes or operations.
using Work = std::function<double()>;

/// The median of `sample` over the budget, after two warm-ups.
double sampled(const std::function<double()>& sample) {
  for (int i = 0; i < 2; ++i) sample();
  std::vector<double> values;
  const auto end = Clock::now() + budget;
  while (values.size() < least_samples || Clock::now() < end) values.push_back(sample());
  return *median(values);
}

class Bench {
 public:
  explicit Bench(cudaStream_t stream)
      : stream_(stream), start_(make_event()), stop_(make_event()) {}

  /// Work per second by the device's events.
  double rate(const Work& work) {
    return sampled([&] {
      check_cuda(cudaEventRecord(start_.get(), stream_));
      const double amount = work();
      check_cuda(cudaEventRecord(stop_.get(), stream_));
      check_cuda(cudaEventSynchronize(stop_.get()));
      float milliseconds = 0;
      check_cuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
      return amount / (milliseconds * 1e-3);
    });
  }

  /// Work per second by the host's clock, the wait included.
  double wall_rate(const Work& work) {
    return sampled([&] {
      const auto began = Clock::now();
      const double amount = work();
      check_cuda(cudaStreamSynchronize(stream_));
      return amount / Seconds(Clock::now() - began).count();
    });
  }

 private:
  cudaStream_t stream_;
  Event start_;
  Event stop_;
};

std::size_t affordable_array_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes));
  return std::min(array_bytes, free_bytes / 8) / granule_bytes * granule_bytes;
}

/// Fills with bytes that are neither zero nor all alike across words: zeros move faster on some
/// devices.
void fill(const DeviceBuffer& memory, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += granule_bytes)
    check_cuda(cudaMemsetAsync(memory.get() + at, static_cast<int>(at / granule_bytes % 63 + 1),
                               granule_bytes));
}

using Values = std::map<std::string, double>;

void memory_ceilings(Bench& bench, cudaStream_t stream, Values& values) {
  const std::size_t bytes = affordable_array_bytes();
  const DeviceBuffer a = make_device_buffer(bytes);
  const DeviceBuffer b = make_device_buffer(bytes);
  const DeviceBuffer c = make_device_buffer(bytes);
  const DeviceBuffer sink = make_device_buffer(sizeof(unsigned));
  fill(b, bytes);
  fill(c, bytes);
  // The best honest copy, whoever makes it.
  values["dram_copy"] =
      std::max({bench.rate([&] { return copy_plain(a.get(), b.get(), bytes, stream); }),
                bench.rate([&] { return copy_streaming(a.get(), b.get(), bytes, stream); }),
                bench.rate([&] { return copy_by_driver(a.get(), b.get(), bytes, stream); })});
  values["dram_read"] = bench.rate(
      [&] { return read_all(b.get(), bytes, reinterpret_cast<unsigned*>(sink.get()), stream); });
  values["dram_triad"] =
      bench.rate([&] { return triad(a.get(), b.get(), c.get(), bytes, stream); });
}

int attribute(cudaDeviceAttr name) {
  int device = 0;
  int value = 0;
  check_cuda(cudaGetDevice(&device));
  check_cuda(cudaDeviceGetAttribute(&value, name, device));
  return value;
}

void cache_ceilings(Bench& bench, cudaStream_t stream, Values& values) {
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  const auto l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  const DeviceBuffer memory = make_device_buffer(sizeof(unsigned));
  auto* sink = reinterpret_cast<unsigned*>(memory.get());
  // An eighth of the L2 stays in it also where each half of it keeps a copy of its own.
  const std::size_t bytes = std::max(l2_bytes / 8 / granule_bytes, std::size_t{1}) * granule_bytes;
  const DeviceBuffer array = make_device_buffer(bytes);
  fill(array, bytes);
  if (l2_bytes > bytes)
    values["l2_read"] =
        bench.rate([&] { return read_l2(multiprocessors, array.get(), bytes, sink, stream); });
  values["l1_read"] =
      bench.rate([&] { return read_l1(multiprocessors, array.get(), sink, stream); });
  values["shared_memory"] = bench.rate([&] { return read_shared(multiprocessors, sink, stream); });
}

void arithmetic_ceilings(Bench& bench, cudaStream_t stream, Values& values) {
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  const int major = attribute(cudaDevAttrComputeCapabilityMajor);
  const DeviceBuffer memory = make_device_buffer(sizeof(unsigned));
  auto* sink = reinterpret_cast<unsigned*>(memory.get());
  values["fp32_fma"] = bench.rate([&] { return fp32_fma(multiprocessors, sink, stream); });
  values["fp16_fma"] = bench.rate([&] { return fp16_fma(multiprocessors, sink, stream); });
  values["fp64_fma"] = bench.rate([&] { return fp64_fma(multiprocessors, sink, stream); });
  if (major >= 8)
    values["bf16_tensor"] = bench.rate([&] { return bf16_mma(multiprocessors, sink, stream); });
  if (major == 9)
    values["bf16_wgmma"] = bench.rate([&] { return bf16_wgmma(multiprocessors, sink, stream); });
}

void host_ceilings(Bench& bench, cudaStream_t stream, Values& values) {
  values["empty_launch"] = 1.0 / bench.wall_rate([&] {
    for (int i = 0; i < launches_in_a_row; ++i) empty_kernel(stream);
    return static_cast<double>(launches_in_a_row);
  });
  const DeviceBuffer device = make_device_buffer(host_copy_bytes);
  const PinnedBuffer pinned = make_pinned_buffer(host_copy_bytes);
  std::vector<std::byte> pageable(host_copy_bytes, std::byte{1});
  std::memset(pinned.get(), 1, host_copy_bytes);
  const auto copy = [&](void* to, const void* from) {
    return bench.wall_rate([&, to, from] {
      check_cuda(cudaMemcpyAsync(to, from, host_copy_bytes, cudaMemcpyDefault, stream));
      return static_cast<double>(host_copy_bytes);
    });
  };
  values["pinned_host_to_device"] = copy(device.get(), pinned.get());
  values["pinned_device_to_host"] = copy(pinned.get(), device.get());
  values["pageable_host_to_device"] = copy(device.get(), pageable.data());
  values["pageable_device_to_host"] = copy(pageable.data(), device.get());
}

/// To another device, where there is one: by the driver, or by a kernel that reads or writes there.
void peer_ceilings(Bench& bench, cudaStream_t stream, Values& values) {
  int devices = 0, direct = 0;
  check_cuda(cudaGetDeviceCount(&devices));
  if (devices < 2) return;
  const int here = current_device(), there = (here + 1) % devices;
  const std::size_t bytes = affordable_array_bytes();
  const DeviceBuffer mine = make_device_buffer(bytes);
  fill(mine, bytes);
  DeviceBuffer far;
  {
    const CurrentDevice other(there);
    far = make_device_buffer(bytes);
    fill(far, bytes);
    check_cuda(cudaDeviceSynchronize());
  }
  double best = bench.rate([&] {
    check_cuda(cudaMemcpyPeerAsync(far.get(), there, mine.get(), here, bytes, stream));
    return static_cast<double>(bytes);
  });
  check_cuda(cudaDeviceCanAccessPeer(&direct, here, there));
  if (direct != 0) {
    check_cuda(cudaDeviceEnablePeerAccess(there, 0));
    // Of the bytes that a copy reads and writes, half go between the devices.
    const auto copied = [&](const DeviceBuffer& to, const DeviceBuffer& from) {
      return bench.rate([&] { return copy_plain(to.get(), from.get(), bytes, stream) / 2; });
    };
    best = std::max({best, copied(mine, far), copied(far, mine)});
  }
  values["peer_copy"] = best;
}

}  // namespace

void ceilings(RecordWriter& out) {
  const Stream stream = make_stream();
  Bench bench(stream.get());
  Values values;
  struct Group {
    const char* name;
    void (*measure)(Bench&, cudaStream_t, Values&);
  };
  constexpr std::array groups = {
      Group{"device memory", memory_ceilings}, Group{"caches and shared memory", cache_ceilings},
      Group{"arithmetic", arithmetic_ceilings}, Group{"launches and host copies", host_ceilings},
      Group{"copies between devices", peer_ceilings}};
  int done = 0;
  for (const Group& group : groups) {
    const NvtxRange range(std::string("ceilings: ") + group.name);
    out.progress(std::string("measuring ") + group.name, ++done, groups.size());
    group.measure(bench, stream.get(), values);
  }
  out.write(record::CeilingSet{std::move(values)});
}

}  // namespace klab::runner
