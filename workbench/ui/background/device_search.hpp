// DeviceSearch: finding out what checks will run on.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "core/check/machine.hpp"

namespace klab::ui {

/// Asks away from the window's thread. The thread is left alone at the end: it owns all it touches.
class DeviceSearch {
 public:
  void begin(const Tree& tree);
  bool under_way() const { return under_way_; }
  /// The answer, once.
  std::optional<Result<Chosen>> take();

 private:
  struct Answer {
    std::mutex mutex;
    std::optional<Result<Chosen>> found;
  };
  std::shared_ptr<Answer> answer_ = std::make_shared<Answer>();
  bool under_way_ = false;
};

}  // namespace klab::ui
