// DeviceSearch: one question on a thread of its own.
#include "ui/background/device_search.hpp"

#include <thread>
#include <utility>

namespace klab::ui {

void DeviceSearch::begin(const Tree& tree) {
  under_way_ = true;
  std::thread([tree, answer = answer_] {
    auto found = choose_backend(tree, Backend::automatic);
    const std::lock_guard lock(answer->mutex);
    answer->found = std::move(found);
  }).detach();
}

std::optional<Result<Chosen>> DeviceSearch::take() {
  const std::lock_guard lock(answer_->mutex);
  if (answer_->found) under_way_ = false;
  return std::exchange(answer_->found, std::nullopt);
}

}  // namespace klab::ui
