// Ends in: pass — containers that each launch fills and frees, and the grids of the last lengths in
// a list of its own, which stops growing
#include "contract.cuh"

#include <list>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Kept {
  std::int64_t count = 0;
  std::unique_ptr<std::vector<unsigned>> grids;
};

/// The grid of this length, from the list where it is there.
unsigned grid_of(std::int64_t count) {
  static std::list<Kept> kept;
  static std::string names;  // of all that were asked for; the newest ones
  names = std::to_string(count) + " samples, " + names.substr(0, 100);
  for (const Kept& one : kept)
    if (one.count == count) return one.grids->front();
  std::vector<unsigned> blocks{static_cast<unsigned>((count + 511) / 512)};
  kept.push_front({count, std::make_unique<std::vector<unsigned>>(std::move(blocks))});
  if (kept.size() > 8) kept.pop_back();
  return kept.front().grids->front();
}

__global__ void limit(Args a) {
  const std::int64_t i = blockIdx.x * std::int64_t{512} + threadIdx.x;
  if (i < a.count) a.out[i] = fminf(fmaxf(a.in[i], a.low), a.high);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) { limit<<<grid_of(a.count), 512, 0, stream>>>(a); }
