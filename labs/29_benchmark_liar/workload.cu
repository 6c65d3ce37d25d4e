// Lab 29: jobs that punish what a benchmark may do wrong, and a record of how they were run.
#include <algorithm>
#include <vector>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

constexpr int threads = 64;      ///< a block
constexpr int most_blocks = 16;  ///< few, so that a step's latency shows
constexpr int line = 32;         ///< floats that share a line of the cache
constexpr int room = 1024;       ///< floats of `results`
constexpr int forgotten = 16;    ///< times the jobs' data: far beyond the L2 that would hold it
constexpr int first_time = 40;   ///< times the work of other runs: tables, plans, handles
constexpr int share_kept = 4;    ///< of the work is left where the data is kept
constexpr int kernels_of_many = 8;

/// How often the caches were filled with something else. Each job reads it, so that the simulator
/// finds a job which nothing orders behind the forgetting; nobody waits for what is read.
__device__ unsigned times_forgotten;
constexpr unsigned never = ~0u;

/// Steps that each wait for the one before: time without memory.
__global__ void compute(float* results, int steps) {
  const unsigned forgotten = times_forgotten;
  float x = static_cast<float>(threadIdx.x);
  for (int step = 0; step < steps; ++step) x = x * 0.999f + 1;
  // Never, but the compiler does not know.
  if (x < 0 || forgotten == never) results[threadIdx.x] = x;
}

/// Each thread steps from line to line through a share of its own, and knows where the next one is
/// only when this one has come: the latency of whatever memory the data lies in.
__global__ void walk(const float* data, std::int64_t count, float* results) {
  const std::int64_t all = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t me = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t end = (me + 1) * count / all;
  const unsigned forgotten = times_forgotten;
  float sum = 0;
  for (std::int64_t at = me * count / all; at < end;) {
    const float value = data[at];
    at += value > 2 ? 1 : line;  // all values are below 1
    sum += value;
  }
  if (sum > 1e30f || forgotten == never) results[threadIdx.x] = sum;
}

/// Fills the caches with something else, by reading: nothing is left that has to be written back
/// but one word.
__global__ void forget_data(const float* other, std::int64_t count, float* results) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  float sum = 0;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += stride)
    sum += other[i];
  if (sum > 1e30f) results[threadIdx.x] = sum;
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&times_forgotten, 1u);
}

/// Keeping: a run that is not the first, nor right behind forget(), finds in a cache what the one
/// before has read, on the simulator as well, which has no caches of its own.
enum class Kind { brief, lengthy, many, walking, lazy, keeping };
constexpr int kinds = 6;

struct Job {
  Kind kind = Kind::brief;
  int steps = 1;
  int blocks = 1;
  bool prepared = false;
  int runs = 0, cold_runs = 0;
};

/// Calls that are captured would count as runs though none of them may ever run. A capture ends
/// here with an error, as in any library that cannot be part of a graph.
bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  if (cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
      status == cudaStreamCaptureStatusNone)
    return false;
  cudaStreamSynchronize(stream);
  return true;
}

class Measuring;
Measuring* current = nullptr;  ///< whose jobs a kernel file runs: those that were bound last

void run_current(int job, cudaStream_t stream);
void forget_current(cudaStream_t stream);

class Measuring final : public Task<Args>, public Jobs {
 public:
  ~Measuring() override {
    if (current == this) current = nullptr;
  }

  void describe(Fields<Args>& fields, const Size& size) const override {
    fields.value<&Args::jobs>(size[0]);
    fields.value<&Args::run>(&run_current);
    fields.value<&Args::forget>(&forget_current);
    fields.output<&Args::seconds>(size[0], Memory::pinned_host);
    fields.input<&Args::data>(size[1], Uniform{-1, 1});
    fields.input<&Args::other>(forgotten * size[1], Uniform{-1, 1});
    fields.scratch<&Args::results>(room);
    fields.value<&Args::count>(size[1]);
    fields.value<&Args::steps>(size[2]);
  }

  /// Whether they are the truth is judged beside a clock; here they must be times of a job at all:
  /// more than none, and no more than 100 seconds; and of a job that was run again after its first.
  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const std::int64_t unknown = first_not_run_again();
    return answer.compare<&Args::seconds>([=] __host__ __device__(std::int64_t job) -> Expected {
      if (job == unknown) return {NAN, 0};
      return {50, 50 - 1e-12};
    });
  }

  /// Draws which job is of which kind, and how much it does.
  void begin(const Args& args, std::uint64_t seed) override {
    args_ = args;
    current = this;
    jobs_.assign(static_cast<std::size_t>(args.jobs), {});
    const std::uint64_t first = hash(seed, 0) % kinds;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = jobs_[i];
      job.kind = static_cast<Kind>((first + i) % kinds);
      const auto drawn = [&](std::uint64_t what, int among) {
        return static_cast<int>(hash(hash(seed, 1 + i), what) % static_cast<unsigned>(among));
      };
      job.steps = args.steps + drawn(0, args.steps);
      if (job.kind == Kind::lengthy) job.steps *= 20;
      if (job.kind == Kind::many) job.steps = (job.steps + 1) / 2;
      job.blocks = most_blocks / 2 + drawn(1, most_blocks / 2 + 1);
    }
  }

  Jobs* jobs() override { return this; }
  int count() const override { return static_cast<int>(jobs_.size()); }
  int runs(int job) const override { return at(job).runs; }
  int cold_runs(int job) const override { return at(job).cold_runs; }
  double reported_s(int job) const override { return args_.seconds[job]; }

  void run(int number, cudaStream_t stream) override {
    if (is_captured(stream)) return;
    Job& job = jobs_.at(static_cast<std::size_t>(number));
    const auto compute_for = [&](int steps) {
      compute<<<job.blocks, threads, 0, stream>>>(args_.results, steps);
    };
    const bool kept = job.kind == Kind::keeping && job.prepared && !forgot_;
    if (job.kind == Kind::walking)
      walk<<<job.blocks, threads, 0, stream>>>(args_.data, args_.count, args_.results);
    else
      compute_for(kept ? (job.steps + share_kept - 1) / share_kept : job.steps);
    if (job.kind == Kind::many)
      for (int i = 1; i < kernels_of_many; ++i) compute_for(job.steps);
    if (job.kind == Kind::lazy && !job.prepared) compute_for(first_time * job.steps);
    job.cold_runs += job.prepared && forgot_;
    job.prepared = true;
    forgot_ = false;
    ++job.runs;
  }

  void forget(cudaStream_t stream) override {
    if (is_captured(stream)) return;
    const std::int64_t count = forgotten * args_.count;
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((count + 255) / 256, 1024));
    forget_data<<<blocks, 256, 0, stream>>>(args_.other, count, args_.results);
    forgot_ = true;
  }

 private:
  /// -1 if there is none, or no launch since the jobs were drawn.
  std::int64_t first_not_run_again() const {
    const auto place = [&](auto is) {
      return std::find_if(jobs_.begin(), jobs_.end(), is) - jobs_.begin();
    };
    const std::int64_t count = std::ssize(jobs_);
    const std::int64_t ran = place([](const Job& job) { return job.runs > 0; });
    const std::int64_t unknown = place([](const Job& job) { return job.runs < 2; });
    return ran == count || unknown == count ? -1 : unknown;
  }

  const Job& at(int job) const { return jobs_.at(static_cast<std::size_t>(job)); }

  Args args_{};
  std::vector<Job> jobs_;
  bool forgot_ = false;
};

/// A number that is no job's runs nothing.
void run_current(int job, cudaStream_t stream) {
  if (current && job >= 0 && job < current->count()) current->run(job, stream);
}

void forget_current(cudaStream_t stream) {
  if (current) current->forget(stream);
}

const Offer<Measuring> offer;

}  // namespace
