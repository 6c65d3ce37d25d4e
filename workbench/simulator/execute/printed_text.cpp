// What one launch printed.
#include "simulator/execute/printed_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace klab::sim {

void PrintedText::add(std::string text) {
  const std::lock_guard lock(mutex_);
  held_ += text.size() + bytes_a_call;
  texts_.push_back(std::move(text));
  for (; held_ > capacity_; texts_.pop_front(), ++overwritten_)
    held_ -= texts_.front().size() + bytes_a_call;
}

void PrintedText::show(const std::function<void(std::string_view)>& console) {
  if (overwritten_ > 0)
    console(
        fmt::format("[Calls of printf that later ones overwrote: {}. The device's buffer holds {} "
                    "bytes a launch (cudaLimitPrintfFifoSize).]\n",
                    overwritten_, capacity_));
  std::string all;  // at once: each call may wake whoever reads it
  for (const std::string& text : texts_) all += text;
  if (!all.empty()) console(all);
  texts_.clear();
}

}  // namespace klab::sim
