// Lab 05: random temperatures on a ring, and their spreading in double precision.
#include "contract.cuh"
#include "runner/workload/task.cuh"

#include <utility>

namespace {

using namespace klab;

/// Error after `done` steps. A step replaces every temperature, all between 0 and 1, by a weighted
/// mean of three, so errors do not grow; it adds at most three roundings (two sums, one of them
/// scaled, and a product that is exact) of values of at most 2: 3 * 2 * 2^-24 covers any order.
__host__ __device__ double tolerance_after(std::int64_t done) {
  return static_cast<double>(done) * 6.0 * 0x1p-24;
}

struct HeatRing final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t cells = size[0], steps = size[1];
    constexpr std::int64_t end_of_int = std::int64_t{1} << 31;  // no int tells the probe's place
    // One warm cell is noticed elsewhere only after a while.
    fields.inout<&Args::state>(cells,
                               Sometimes{Uniform{0, 1}, Either{Integers{0, 1}, OneAlone{cells}}});
    fields.scratch<&Args::scratch>(cells);
    fields.scratch<&Args::log>(steps);
    fields.output<&Args::history>(steps, Memory::pinned_host);
    fields.value<&Args::cells>(cells);
    fields.value<&Args::steps>(steps);
    fields.drawn<&Args::probe>(
        Sometimes{Integers{cells > end_of_int ? end_of_int : 0, cells - 1},
                  Either{Constant<std::int64_t>{0}, Constant<std::int64_t>{cells - 1}}});
    // A kernel may keep the state in shared memory between the steps.
    // As written a step takes 4 operations a cell. Neighbouring sums can be shared, and the
    // quarters multiplied in at the end, which is exact: then it is two sums.
    fields.work({.fp32 = 2.0 * static_cast<double>(cells) * static_cast<double>(steps)});
  }

  bool checks_parts() const override { return false; }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const Where where = answer.where;
    const std::int64_t cells = answer.given.cells, probe = answer.given.probe;
    const int steps = answer.given.steps;
    Numbers<double> first(where, cells);
    Numbers<double> second(where, cells);
    Numbers<double> noted(where, steps);
    double* now = first.data();
    double* next = second.data();
    double* note = noted.data();
    const float* start = answer.given.state;
    for_each(where, cells, [=] __host__ __device__(std::int64_t i) { now[i] = start[i]; });
    for (int step = 0; step < steps; ++step) {
      for_each(where, cells, [=] __host__ __device__(std::int64_t i) {
        const double left = now[i == 0 ? cells - 1 : i - 1];
        const double right = now[i == cells - 1 ? 0 : i + 1];
        next[i] = 0.5 * now[i] + 0.25 * (left + right);
        if (i == probe) note[step] = next[i];
      });
      std::swap(now, next);
    }

    const Mismatch history =
        answer.compare<&Args::history>([=] __host__ __device__(std::int64_t step) -> Expected {
          return {note[step], tolerance_after(step + 1)};
        });
    if (history.wrong > 0) return history;
    return answer.compare<&Args::state>([=] __host__ __device__(std::int64_t i) -> Expected {
      return {now[i], tolerance_after(steps)};
    });
  }
};

const Offer<HeatRing> offer;

}  // namespace
