// Times between events that a program asked for too early, and used all the same.
//
// To call again later is right, and so is to do without; nobody sees whether the host looked at the
// answer. So a time that is not there is a number that no arithmetic, comparison or conversion can
// use unseen: a signaling NaN, which sets the host's flag for invalid operations.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace klab::sim {

class UnreadyTimes {
 public:
  using Pair = std::pair<std::uint64_t, std::uint64_t>;  ///< numbers of two events' records

  /// The pair is asked for before its last event is done: true the first time. Who asks for it
  /// again waits that way. A null pointer: nobody wants to know what becomes of the time.
  bool ask(const Pair& pair, float* milliseconds);
  void answer(const Pair& pair) { asked_.erase(pair); }
  void forget() { asked_.clear(); }
  /// Whether a time was used that was never there, even later.
  bool any_used() const;

  /// Around a call of the runtime, whose own arithmetic is none of the program's.
  class Call {
   public:
    explicit Call(UnreadyTimes& times);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    const UnreadyTimes& times_;
  };

 private:
  struct Asked {
    bool taken = false;  ///< by the program, as a time
    bool used = false;
  };
  std::map<Pair, Asked> asked_;
};

}  // namespace klab::sim
