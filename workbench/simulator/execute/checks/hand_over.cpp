#include "simulator/execute/checks/hand_over.hpp"

#include <algorithm>

namespace klab::sim {

namespace {
constexpr std::uint32_t every_lane = ~0u;
}

HandOver::HandOver(std::uint32_t warps, std::uint32_t blocks)
    : time_(warps, 1),
      met_(warps),
      known_(warps),
      fenced_(warps),
      news_(warps),
      news_for_(warps),
      parts_(barriers * blocks) {}

void HandOver::forget_all() {
  for (std::vector<Clock>* clocks : {&known_, &fenced_, &news_})
    for (Clock& clock : *clocks) clock.clear();
  std::fill(news_for_.begin(), news_for_.end(), 0);
  std::fill(met_.begin(), met_.end(), 0);
  std::fill(time_.begin(), time_.end(), 1);
  told_.clear();
  mbarriers_.clear();
  for (Meeting& part : parts_) part = {};
}

// Of several lanes at several times the latest stands for all: too much, if anything.
void HandOver::Heard::join(const Heard& more) {
  all = std::max(all, more.all);
  if (some <= all) some = lanes = 0;
  if (more.some <= all) return;
  some = std::max(some, more.some);
  lanes |= more.lanes;
  if (lanes == every_lane) *this = {some, 0, 0};
}

void HandOver::join(Clock& clock, const Clock& more) {
  if (more.empty()) return;
  if (clock.empty()) {
    clock = more;
    return;
  }
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i].join(more[i]);
}

bool HandOver::all_know(std::uint32_t warp, std::uint32_t lanes, const Past& past) const {
  const auto holds = [&](const Clock& clock) {
    return !clock.empty() && clock[past.warp].holds(past);
  };
  return holds(known_[warp]) || ((lanes & ~news_for_[warp]) == 0 && holds(news_[warp]));
}

bool HandOver::any_knows(std::uint32_t first_warp, std::uint32_t warps, const Past& past) const {
  for (std::uint32_t warp = first_warp; warp < first_warp + warps; ++warp)
    for (const Clock* clock : {&known_[warp], &news_[warp]})
      if (!clock->empty() && (*clock)[past.warp].holds(past)) return true;
  return false;
}

void HandOver::meet(std::uint32_t warp) {
  met_[warp] = ++time_[warp];
  if (news_for_[warp] == 0) return;
  join(known_[warp], news_[warp]);
  news_[warp].clear();
  news_for_[warp] = 0;
}

void HandOver::meet(std::uint32_t first_warp, std::uint32_t warps) {
  Clock all;
  for (std::uint32_t warp = first_warp; warp < first_warp + warps; ++warp)
    join(all, told_by(warp, every_lane));
  for (std::uint32_t warp = first_warp; warp < first_warp + warps; ++warp) {
    known_[warp] = all;
    news_[warp].clear();
    news_for_[warp] = 0;
    met_[warp] = time_[warp];
  }
}

HandOver::Clock HandOver::told_by(std::uint32_t warp, std::uint32_t lanes) {
  Clock clock = known_[warp];
  if ((news_for_[warp] & lanes) != 0) join(clock, news_[warp]);
  if (clock.empty()) clock.resize(time_.size());
  clock[warp].join({met_[warp], ++time_[warp], lanes});
  if (lanes == every_lane) clock[warp] = {time_[warp], 0, 0};
  return clock;
}

// Lanes that look one after the other share what they hear.
void HandOver::learn(std::uint32_t warp, std::uint32_t lanes, const Clock& more) {
  if (more.empty()) return;
  if (lanes == every_lane) return join(known_[warp], more);
  join(news_[warp], more);
  news_for_[warp] |= lanes;
}

void HandOver::fence(std::uint32_t warp, std::uint32_t lanes) {
  join(fenced_[warp], told_by(warp, lanes));
}

void HandOver::tell(std::uint32_t warp, std::uint64_t word, bool adds) {
  const Clock& tells = fenced_[warp];
  if (tells.empty()) return;  // no fence yet
  Clock& told = told_[word];
  if (adds)
    join(told, tells);
  else
    told = tells;
}

void HandOver::hear(std::uint32_t warp, std::uint32_t lanes, std::uint64_t word) {
  if (told_.empty()) return;
  if (const auto told = told_.find(word); told != told_.end()) learn(warp, lanes, told->second);
}

void HandOver::arrive(std::uint32_t warp, std::uint32_t barrier) {
  meet(warp);
  join(parts_[barrier].arrived, told_by(warp, every_lane));
}

void HandOver::open(std::uint32_t barrier) {
  parts_[barrier].opened = std::move(parts_[barrier].arrived);
  parts_[barrier].arrived.clear();
}

void HandOver::pass(std::uint32_t warp, std::uint32_t barrier) {
  join(known_[warp], parts_[barrier].opened);
}

void HandOver::arrive_at(const void* mbarrier, std::uint32_t warp, std::uint32_t lanes,
                         bool relaxed) {
  join(mbarriers_[mbarrier].arrived, relaxed ? fenced_[warp] : told_by(warp, lanes));
}

// Arrivals are atomic operations on one word: who sees the last one sees those of earlier phases.
void HandOver::end_phase(const void* mbarrier) {
  Meeting& meeting = mbarriers_[mbarrier];
  meeting.opened = meeting.arrived;
}

void HandOver::pass_phase(const void* mbarrier, std::uint32_t warp, std::uint32_t lanes) {
  if (const auto meeting = mbarriers_.find(mbarrier); meeting != mbarriers_.end())
    learn(warp, lanes, meeting->second.opened);
}

}  // namespace klab::sim
