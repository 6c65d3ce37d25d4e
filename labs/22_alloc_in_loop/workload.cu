// Lab 22: random temperatures on a ring, and the thermostat's steps in double precision.
#include <utility>

#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

constexpr double roundoff = 0x1p-24;

/// Error after one more spreading, with a share that is off by `share_error`. A spreading replaces
/// each temperature, all from 0 to 1, by a weighted mean of three, so errors so far do not grow;
/// the share multiplies a difference of at most 2; and there are at most five roundings of values
/// of at most 2, three of them scaled by the share: 2 * (2 + 3 / 4) units.
__host__ __device__ double spread_error(double error, double share_error) {
  return error + 2 * share_error + 5.5 * roundoff;
}

/// The share is 1/4 minus a 1024th of a temperature: that temperature's error, and two roundings.
__host__ __device__ double share_error_after(double error) { return error / 1024 + 0.5 * roundoff; }

__host__ __device__ double share_of(double temperature) { return 0.25 - temperature / 1024; }

struct Thermostat final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t cells = size[0], steps = size[1];
    constexpr std::int64_t end_of_int = std::int64_t{1} << 31;  // no int tells the probe's place
    // One warm cell is noticed elsewhere only after a while.
    fields.inout<&Args::state>(cells,
                               Sometimes{Uniform{0, 1}, Either{Integers{0, 1}, OneAlone{cells}}});
    fields.output<&Args::history>(steps, Memory::pinned_host);
    fields.value<&Args::cells>(cells);
    fields.value<&Args::steps>(steps);
    fields.drawn<&Args::probe>(
        Sometimes{Integers{cells > end_of_int ? end_of_int : 0, cells - 1},
                  Either{Constant<std::int64_t>{0}, Constant<std::int64_t>{cells - 1}}});
    fields.work({.fp32 = 6.0 * static_cast<double>(cells) * static_cast<double>(steps)});
  }

  bool checks_parts() const override { return false; }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    const std::int64_t cells = answer.given.cells;
    const int steps = answer.given.steps;
    Numbers<double> state(answer.where, cells), between(answer.where, cells);
    double* now = state.data();
    double* next = between.data();
    const float* start = answer.given.state;
    for_each(answer.where, cells, [=] __host__ __device__(std::int64_t i) { now[i] = start[i]; });

    Numbers<double> notes(answer.where, steps), allowances(answer.where, steps);
    double* note = notes.data();
    double* allowed = allowances.data();
    const std::int64_t probe = answer.given.probe;
    for (int step = 0; step < steps; ++step)
      for (int half = 0; half < 2; ++half) {
        for_each(answer.where, cells, [=] __host__ __device__(std::int64_t i) {
          const double share = step == 0 ? 0.25 : share_of(note[step - 1]);
          const double left = now[i == 0 ? cells - 1 : i - 1];
          const double right = now[i == cells - 1 ? 0 : i + 1];
          next[i] = now[i] + share * (left + right - 2 * now[i]);
          if (half == 0 || i != probe) return;
          const double before = step == 0 ? 0 : allowed[step - 1];
          const double share_error = step == 0 ? 0 : share_error_after(before);
          note[step] = next[i];
          allowed[step] = spread_error(spread_error(before, share_error), share_error);
        });
        std::swap(now, next);
      }

    const Mismatch history =
        answer.compare<&Args::history>([=] __host__ __device__(std::int64_t step) -> Expected {
          return {note[step], allowed[step]};
        });
    if (history.wrong > 0) return history;
    return answer.compare<&Args::state>([=] __host__ __device__(std::int64_t i) -> Expected {
      return {now[i], allowed[steps - 1]};
    });
  }
};

const Offer<Thermostat> offer;

}  // namespace
