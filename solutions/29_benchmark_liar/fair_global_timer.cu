// Ends in: pass — no events: kernels of its own note the device's clock around each run, and a
// function of the host that waits in the stream works the medians out
#include <algorithm>
#include <array>

#include "contract.cuh"

namespace {

constexpr int runs = 9;

struct Span {
  unsigned long long start, stop;  // nanoseconds
};

struct Report {
  Span spans[runs];
  double* seconds;
};

__global__ void note(unsigned long long* time) {
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*time));
}

void CUDART_CB report(void* data) {
  const Report& noted = *static_cast<Report*>(data);
  std::array<double, runs> seconds;
  for (int i = 0; i < runs; ++i) seconds[i] = (noted.spans[i].stop - noted.spans[i].start) * 1e-9;
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  *noted.seconds = seconds[runs / 2];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  Report* reports = nullptr;
  cudaMallocHost(&reports, args.jobs * sizeof(Report));
  for (int job = 0; job < args.jobs; ++job) {
    Report& own = reports[job];
    own.seconds = &args.seconds[job];
    args.run(job, stream);
    for (Span& span : own.spans) {
      args.forget(stream);
      note<<<1, 1, 0, stream>>>(&span.start);
      args.run(job, stream);
      note<<<1, 1, 0, stream>>>(&span.stop);
    }
    cudaLaunchHostFunc(stream, report, &own);
  }
  cudaStreamSynchronize(stream);
  cudaFreeHost(reports);
}
