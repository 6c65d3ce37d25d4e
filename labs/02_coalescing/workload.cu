// Lab 02: a random matrix and a random gain for each row.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

namespace {

using namespace klab;

/// Buffers in the order of buffers().
enum Buffer : std::size_t { in_buffer, gain_buffer, out_buffer };

class ScaledRows final : public Workload {
 public:
  std::vector<BufferSpec> buffers(const Size& size) const override {
    const auto rows = static_cast<std::size_t>(size[0]);
    const auto count = rows * static_cast<std::size_t>(size[1]);
    return {{"in", count, sizeof(float), Role::input},
            {"gain", rows, sizeof(float), Role::input},
            {"out", count, sizeof(float), Role::output}};
  }

  void fill(const Problem& problem, std::uint64_t seed) const override {
    float* in = problem.at<float>(in_buffer);
    float* gain = problem.at<float>(gain_buffer);
    for_each(problem.where, problem.size[0] * problem.size[1],
             [=] __host__ __device__(std::int64_t i) { in[i] = uniform(seed, i, -1.0f, 1.0f); });
    for_each(problem.where, problem.size[0], [=] __host__ __device__(std::int64_t row) {
      gain[row] = uniform(~seed, row, 0.5f, 2.0f);
    });
  }

  Mismatch check(const Problem& initial, const Problem& result) const override {
    const float* in = initial.at<float>(in_buffer);
    const float* gain = initial.at<float>(gain_buffer);
    const std::int64_t columns = result.size[1];
    return compare(result.where, result.size[0] * columns, result.at<float>(out_buffer), out_buffer,
                   [=] __host__ __device__(std::int64_t i) -> Expected {
                     const double want = static_cast<double>(gain[i / columns]) * in[i];
                     // One multiplication, rounded once: at most half a unit in the last place,
                     // 2^-24 of the value. The products are far above the smallest normal float.
                     return {want, (want < 0 ? -want : want) * 0x1p-24};
                   });
  }

  const void* bind(const Problem& problem) override {
    args_ = {problem.at<float>(in_buffer), problem.at<float>(gain_buffer),
             problem.at<float>(out_buffer), problem.size[0], problem.size[1]};
    return &args_;
  }

  LeastWork least_work(const Size& size) const override {
    const double count = static_cast<double>(size[0]) * static_cast<double>(size[1]);
    return {4.0 * (2 * count + static_cast<double>(size[0])), count};
  }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new ScaledRows; }
