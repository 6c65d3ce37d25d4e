// The random kernels of a program. A kernel's body is written once, for a "side": the device runs
// it a thread at a time, the host a step at a time for all threads of a block; what both have left
// in their threads and sums must be the same bits.
#pragma once
#include <initializer_list>
#include <vector>

#include "host_side.cuh"

struct Subject {
  u64 seed;
  u32 blocks, threads;
  void (*device)(const u32* in, u64* out, u32* sums);  // a __global__ function
  void (*host)(HostSide& side);
};

/// All of this program; the files that it is compiled from add theirs before it begins.
inline std::vector<Subject>& all_subjects() {
  static std::vector<Subject> all;
  return all;
}
inline bool add_subjects(std::initializer_list<Subject> some) {
  all_subjects().insert(all_subjects().end(), some);
  return true;
}
