// DevicePage: what the device page shows beyond the model's own facts, gathered while it is shown.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/tree.hpp"
#include "ui/background/launcher.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// Runs the live phase in a runner of its own, on a thread of its own.
class DeviceWatch {
 public:
  explicit DeviceWatch(Tree tree) : tree_(std::move(tree)) {}
  ~DeviceWatch();
  DeviceWatch(const DeviceWatch&) = delete;
  DeviceWatch& operator=(const DeviceWatch&) = delete;

  /// Begins or ends watching; never waits for it.
  void want(bool on);
  /// What arrived since the last call.
  std::vector<record::DeviceSample> drain();
  /// Why there is nothing to watch; forgotten when watching is no longer wanted.
  std::optional<Error> problem();

 private:
  void begin();

  const Tree tree_;
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> busy_ = false;
  std::mutex mutex_;
  std::vector<record::DeviceSample> samples_;
  std::optional<Error> problem_;
  std::thread thread_;
};

/// Waits in line for the GPU and measures its ceilings in a runner of its own. Blocks.
Result<Ceilings> measure_device_ceilings(const CeilingsRequest& request,
                                         const OnCheckEvent& on_event,
                                         const std::atomic<bool>& canceled);

/// Asks the driver only while the page is in sight and nothing of ours is measuring.
class DevicePage {
 public:
  explicit DevicePage(Tree tree) : tree_(std::move(tree)), watch_(tree_) {}
  /// A new report, or nothing if nothing has changed.
  std::optional<DeviceReport> tick(const Model& model, bool visible, double now_s);

 private:
  const Tree tree_;
  DeviceWatch watch_;
  DeviceReport report_;
  double next_look_s_ = 0;
};

}  // namespace klab::ui
