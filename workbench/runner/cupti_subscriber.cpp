// Subscribing and unsubscribing.
#include "runner/cupti_subscriber.hpp"

#include "runner/cupti_check.hpp"

namespace klab::runner {

CuptiSubscriber::CuptiSubscriber(CUpti_CallbackFunc callback, void* context) {
  check_cupti(cuptiSubscribe(&handle_, callback, context), "cuptiSubscribe");
}

CuptiSubscriber::~CuptiSubscriber() { cuptiUnsubscribe(handle_); }

void CuptiSubscriber::watch_runtime_calls(bool on) {
  check_cupti(cuptiEnableDomain(on ? 1 : 0, handle_, CUPTI_CB_DOMAIN_RUNTIME_API),
              "cuptiEnableDomain");
}

}  // namespace klab::runner
