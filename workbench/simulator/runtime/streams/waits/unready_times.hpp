// Times between events that a program asked for too early, and used all the same.
//
// To call again later is right, and so is to do without; nobody sees whether the host looked at the
// answer. So a time that is not there is a number that no arithmetic, comparison or conversion can
// use unseen: a signaling NaN, which sets the host's flag for invalid operations.
//
// Where the program holds a mark of its own (a number below zero, an infinity, a NaN), that stays.
// Once one was left to stand, most times are kept back as well: who leaves marks out still reports
// by the others, and who takes them for times reports a mark.
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
  /// The pair is asked for when both of its events are done: true if it is kept back all the same.
  bool keeps_back(const Pair& pair, const float* milliseconds);
  bool is_first_kept_back() { return !std::exchange(told_, true); }
  void answer(const Pair& pair) { asked_.erase(pair); }
  /// What was asked; not whether marks are left to stand.
  void forget();
  void reset() { *this = {}; }
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
    bool marked = false;
    bool used = false;
  };
  std::map<Pair, Asked> asked_;
  bool leaves_marks_ = false;
  bool told_ = false;
  unsigned there_ = 0;  ///< times that could have been told since
};

}  // namespace klab::sim
