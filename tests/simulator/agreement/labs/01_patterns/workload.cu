// The inputs of the patterns. There is no reference: what the GPU writes is what is right.
#include "contract.cuh"
#include "runner/workload/workload.cuh"

namespace {

constexpr std::int64_t words = 131072;

class Patterns : public klab::Workload {
 public:
  std::vector<klab::BufferSpec> buffers(const klab::Size&) const override {
    return {{"x", words, sizeof(float), klab::Role::input},
            {"k", words, sizeof(int), klab::Role::input},
            {"y", words, sizeof(unsigned), klab::Role::inout}};
  }
  void fill(const klab::Problem& problem, std::uint64_t seed) const override {
    float* x = problem.at<float>(0);
    int* k = problem.at<int>(1);
    unsigned* y = problem.at<unsigned>(2);
    klab::for_each(problem.where, words, [=] __host__ __device__(std::int64_t i) {
      x[i] = static_cast<float>(klab::hash(seed, i) >> 60);
      k[i] = static_cast<int>(klab::hash(seed + 1, i) >> 32);
      y[i] = 0;
    });
  }
  klab::Mismatch check(const klab::Problem&, const klab::Problem&) const override {
    klab::Mismatch nothing_to_compare_with;
    nothing_to_compare_with.total = words;
    return nothing_to_compare_with;
  }
  const void* bind(const klab::Problem& problem) override {
    args_ = {problem.at<float>(0), problem.at<int>(1), problem.at<unsigned>(2), problem.size[0]};
    return &args_;
  }
  klab::LeastWork least_work(const klab::Size&) const override { return {4.0 * words, 0}; }

 private:
  Args args_{};
};

}  // namespace

extern "C" klab::Workload* klab_make_workload() { return new Patterns; }
