// What kernels of several tests say to barriers in shared memory.
#pragma once

namespace klab::sim::test {

inline constexpr const char* mbarrier_source = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }" :: "r"(barrier), "r"(parity) : "memory");
}
)";

}  // namespace klab::sim::test
