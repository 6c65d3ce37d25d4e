// Checkable: what this machine can check of a lab, in words.
#pragma once

#include <optional>
#include <string>

#include "core/base/advice.hpp"
#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// What checks run on. Neither device nor error: it is being looked for.
struct CheckingMachine {
  std::optional<DeviceFacts> device;
  std::optional<Error> no_device;
  std::optional<Error> counter_obstacle;  ///< why hardware counters are refused, if they are
};

struct Checkable {
  enum class Reach { unknown, nothing, results, cause, time, everything };
  Reach reach = Reach::unknown;
  std::string words;  ///< "time and counters", "cause only"; empty while unknown
  Advice why;         ///< one or two sentences
};

/// Whether a check here can say anything about the lab.
inline bool can_check(const Checkable& checkable) {
  return checkable.reach != Checkable::Reach::unknown &&
         checkable.reach != Checkable::Reach::nothing;
}

/// Why a device cannot run a lab at all.
struct Obstacle {
  std::string words;  ///< "needs 2 GPUs"
  Error error;        ///< no_device
};
/// nullopt if it can.
std::optional<Obstacle> obstacle_of(const Lab& lab, const DeviceFacts& device);

/// From the lab's needs, the sources of its cause metrics and what the machine offers.
Checkable what_can_be_checked(const Lab& lab, const CheckingMachine& machine);

/// Why the driver refuses hardware counters to this user, as counters_finding() sees it; nullopt if
/// it permits them or does not say.
std::optional<Error> known_counter_obstacle();

}  // namespace klab
