// Subscribing and unsubscribing.
#include "runner/cupti/subscriber.hpp"

#include <algorithm>
#include <iterator>

#include "runner/cupti/check.hpp"

namespace klab::runner {

bool is_kernel_launch(std::string_view function) {
  return function.starts_with("cudaLaunchKernel") || function.starts_with("__cudaLaunchKernel") ||
         function.starts_with("cudaLaunchCooperativeKernel");
}

bool is_other_work(std::string_view function) {
  return function.starts_with("cudaGraphLaunch") || function.starts_with("cudaMemcpy") ||
         function.starts_with("cudaMemset");
}

bool asks_if_done(std::string_view function) {
  constexpr std::string_view names[] = {"cudaStreamQuery", "cudaEventQuery", "cudaEventElapsedTime",
                                        "cuStreamQuery",   "cuEventQuery",   "cuEventElapsedTime"};
  return std::any_of(std::begin(names), std::end(names),
                     [=](std::string_view name) { return function.starts_with(name); });
}

bool asks_about_device(std::string_view function) {
  return asks_if_done(function) || function.starts_with("cudaMemGetInfo") ||
         function.starts_with("cuMemGetInfo");
}

CuptiSubscriber::CuptiSubscriber(CUpti_CallbackFunc callback, void* context) {
  check_cupti(cuptiSubscribe(&handle_, callback, context), "cuptiSubscribe");
}

CuptiSubscriber::~CuptiSubscriber() { cuptiUnsubscribe(handle_); }

void CuptiSubscriber::watch_runtime_calls(bool on) {
  check_cupti(cuptiEnableDomain(on ? 1 : 0, handle_, CUPTI_CB_DOMAIN_RUNTIME_API),
              "cuptiEnableDomain");
}

void CuptiSubscriber::watch_driver_calls(bool on) {
  check_cupti(cuptiEnableDomain(on ? 1 : 0, handle_, CUPTI_CB_DOMAIN_DRIVER_API),
              "cuptiEnableDomain");
}

void CuptiSubscriber::watch_modules() {
  check_cupti(
      cuptiEnableCallback(1, handle_, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED),
      "cuptiEnableCallback");
}

}  // namespace klab::runner
