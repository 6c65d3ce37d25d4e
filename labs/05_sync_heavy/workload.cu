// Lab 05: random temperatures on a ring, and their spreading in double precision.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

#include <utility>

namespace {

using namespace klab;

/// Buffers in the order of buffers().
enum Buffer : std::size_t { state_buffer, scratch_buffer, log_buffer, history_buffer };

/// Error after `done` steps. A step replaces every temperature, all between 0 and 1, by a weighted
/// mean of three, so errors do not grow; it adds at most three roundings (two sums, one of them
/// scaled, and a product that is exact) of values of at most 2: 3 * 2 * 2^-24 covers any order.
__host__ __device__ double tolerance_after(std::int64_t done) {
  return static_cast<double>(done) * 6.0 * 0x1p-24;
}

/// `count` doubles where the problem lives; freed at the end of the scope.
class Doubles {
 public:
  Doubles(Where where, std::int64_t count) : where_(where) {
    if (where == Where::host)
      host_.resize(static_cast<std::size_t>(count));
    else
      detail::require(cudaMalloc(&device_, static_cast<std::size_t>(count) * sizeof(double)),
                      "reference");
  }
  ~Doubles() { cudaFree(device_); }
  Doubles(const Doubles&) = delete;
  Doubles& operator=(const Doubles&) = delete;
  double* data() { return where_ == Where::host ? host_.data() : device_; }

 private:
  Where where_;
  std::vector<double> host_;
  double* device_ = nullptr;
};

class HeatRing final : public Workload {
 public:
  std::vector<BufferSpec> buffers(const Size& size) const override {
    const auto cells = static_cast<std::size_t>(size[0]);
    const auto steps = static_cast<std::size_t>(size[1]);
    return {{"state", cells, sizeof(float), Role::inout},
            {"scratch", cells, sizeof(float), Role::output},
            {"log", steps, sizeof(float), Role::output},
            {"history", steps, sizeof(float), Role::output, Memory::pinned_host}};
  }

  void fill(const Problem& problem, std::uint64_t seed) const override {
    float* state = problem.at<float>(state_buffer);
    for_each(problem.where, problem.size[0],
             [=] __host__ __device__(std::int64_t i) { state[i] = uniform(seed, i, 0.0f, 1.0f); });
  }

  Mismatch check(const Problem& initial, const Problem& result) const override {
    const std::int64_t cells = result.size[0];
    const std::int64_t steps = result.size[1];
    const std::int64_t probe = cells / 2;
    Doubles first(result.where, cells);
    Doubles second(result.where, cells);
    Doubles noted(result.where, steps);
    double* now = first.data();
    double* next = second.data();
    double* note = noted.data();
    const float* start = initial.at<float>(state_buffer);
    for_each(result.where, cells, [=] __host__ __device__(std::int64_t i) { now[i] = start[i]; });
    for (std::int64_t step = 0; step < steps; ++step) {
      for_each(result.where, cells, [=] __host__ __device__(std::int64_t i) {
        const double left = now[i == 0 ? cells - 1 : i - 1];
        const double right = now[i == cells - 1 ? 0 : i + 1];
        next[i] = 0.5 * now[i] + 0.25 * (left + right);
        if (i == probe) note[step] = next[i];
      });
      std::swap(now, next);
    }

    const Mismatch history =
        compare(result.where, steps, result.at<float>(history_buffer), history_buffer,
                [=] __host__ __device__(std::int64_t step) -> Expected {
                  return {note[step], tolerance_after(step + 1)};
                });
    if (history.wrong > 0) return history;
    return compare(result.where, cells, result.at<float>(state_buffer), state_buffer,
                   [=] __host__ __device__(std::int64_t i) -> Expected {
                     return {now[i], tolerance_after(steps)};
                   });
  }

  const void* bind(const Problem& problem) override {
    args_ = {problem.at<float>(state_buffer),
             problem.at<float>(scratch_buffer),
             problem.at<float>(log_buffer),
             problem.at<float>(history_buffer),
             problem.size[0],
             problem.size[0] / 2,
             static_cast<int>(problem.size[1])};
    return &args_;
  }

  LeastWork least_work(const Size& size) const override {
    // The state is read once and written once; a kernel may keep it in shared memory in between.
    return {4.0 * (2.0 * size[0] + size[1]), 4.0 * size[0] * size[1]};
  }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new HeatRing; }
