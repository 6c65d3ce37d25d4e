// PrintedText: what one launch printed, in a buffer that holds no more than a device's does.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

namespace klab::sim {

/// As on a device, what is printed later overwrites what was printed first, and all of it is seen
/// when the launch is done. A device keeps arguments, this the text that they make.
class PrintedText {
 public:
  /// Of each call's text, beside the text: what a device keeps of a call without arguments.
  static constexpr std::size_t bytes_a_call = 16;

  explicit PrintedText(std::size_t capacity) : capacity_(capacity) {}

  void add(std::string text);
  /// Passes all on, behind a sentence that says what was overwritten.
  void show(const std::function<void(std::string_view)>& console);

 private:
  std::mutex mutex_;
  std::size_t capacity_, held_ = 0;
  std::list<std::string> texts_;   // oldest first; most launches print nothing
  std::uint64_t overwritten_ = 0;  // calls
};

}  // namespace klab::sim
