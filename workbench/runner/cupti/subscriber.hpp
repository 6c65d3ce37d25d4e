// CuptiSubscriber: this process's one subscription to CUPTI's callbacks.
#pragma once

#include <string_view>

#include <cupti.h>

namespace klab::runner {

/// Whether the runtime function of this name launches one kernel.
bool is_kernel_launch(std::string_view function);
/// Whether it gives the device other work: a graph, a copy, a memory fill.
bool is_other_work(std::string_view function);
/// Whether the function of the runtime or the driver asks if a stream or an event is done.
bool asks_if_done(std::string_view function);
/// Whether it asks for that, or for how much memory is free: what a launch that is counted hears is
/// not what a timed one hears.
bool asks_about_device(std::string_view function);

/// Taken before anything else is asked of CUPTI, because it is what tells whether an external tool
/// is attached already.
class CuptiSubscriber {
 public:
  /// Errors: RunnerError with profiler_attached where another tool has subscribed.
  explicit CuptiSubscriber(CUpti_CallbackFunc callback = ignore, void* context = nullptr);
  ~CuptiSubscriber();
  CuptiSubscriber(const CuptiSubscriber&) = delete;
  CuptiSubscriber& operator=(const CuptiSubscriber&) = delete;

  /// Calls back for every call of the CUDA runtime API, or no longer. Errors: RunnerError.
  void watch_runtime_calls(bool on);
  /// The same for the driver API, calls that the runtime makes included. Errors: RunnerError.
  void watch_driver_calls(bool on);
  /// Calls back for every module that is loaded from now on. Errors: RunnerError.
  void watch_modules();

 private:
  static void CUPTIAPI ignore(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}
  CUpti_SubscriberHandle handle_ = nullptr;
};

}  // namespace klab::runner
