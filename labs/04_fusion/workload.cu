// Lab 04: random inputs, and out = residual + relu(scale * in + bias) in double precision.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

namespace {

using namespace klab;

/// Buffers in the order of buffers().
enum Buffer : std::size_t { in_buffer, residual_buffer, scratch_buffer, out_buffer };

constexpr float scale = 1.7f;
constexpr float bias = -0.3f;

class ScaledResidual final : public Workload {
 public:
  std::vector<BufferSpec> buffers(const Size& size) const override {
    const auto count = static_cast<std::size_t>(size[0]);
    return {{"in", count, sizeof(float), Role::input},
            {"residual", count, sizeof(float), Role::input},
            {"scratch", count, sizeof(float), Role::output},
            {"out", count, sizeof(float), Role::output}};
  }

  void fill(const Problem& problem, std::uint64_t seed) const override {
    float* in = problem.at<float>(in_buffer);
    float* residual = problem.at<float>(residual_buffer);
    for_each(problem.where, problem.size[0], [=] __host__ __device__(std::int64_t i) {
      in[i] = uniform(seed, i, -1.0f, 1.0f);
      residual[i] = uniform(~seed, i, -1.0f, 1.0f);
    });
  }

  Mismatch check(const Problem& initial, const Problem& result) const override {
    const float* in = initial.at<float>(in_buffer);
    const float* residual = initial.at<float>(residual_buffer);
    return compare(result.where, result.size[0], result.at<float>(out_buffer), out_buffer,
                   [=] __host__ __device__(std::int64_t i) -> Expected {
                     // Three roundings at most, of the product, of the sum with the bias and of the
                     // sum with the residual; each is at most 2^-24 of what it rounds. relu makes
                     // no error and does not enlarge one. A fused multiply-add only saves a
                     // rounding, so it lies within the same bound.
                     const double product = static_cast<double>(scale) * in[i];
                     const double sum = product + static_cast<double>(bias);
                     const double want = residual[i] + (sum > 0 ? sum : 0);
                     const double rounded = fabs(product) + fabs(sum) + fabs(want);
                     return {want, rounded * 1.01 * 0x1p-24};
                   });
  }

  const void* bind(const Problem& problem) override {
    args_ = {problem.at<float>(in_buffer),
             problem.at<float>(residual_buffer),
             problem.at<float>(scratch_buffer),
             problem.at<float>(out_buffer),
             problem.size[0],
             scale,
             bias};
    return &args_;
  }

  LeastWork least_work(const Size& size) const override {
    // Two inputs and one output. The scratch buffer is no part of the task.
    return {12.0 * size[0], 4.0 * size[0]};
  }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new ScaledResidual; }
