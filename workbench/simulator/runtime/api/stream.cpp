// Stream, event and capture functions.
#include <algorithm>

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

template <class Body>
cudaError_t with_event(cudaEvent_t handle, Body&& body, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        const EventPointer event = runtime.streams.find(handle);
        return event == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, event);
      },
      name);
}

/// A capturing stream can't be waited for.
cudaError_t refuse_capturing(Stream& stream) {
  if (!stream.capture) return cudaSuccess;
  stream.capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

/// Where no work of their streams lies between them a GPU reaches each as the host asks for it,
/// whatever runs beside them.
float milliseconds_between(const Runtime& runtime, const Event& first, const Event& last) {
  using Milliseconds = std::chrono::duration<float, std::milli>;
  const bool nothing_between = first.behind != 0 && first.behind == last.behind;
  if (!nothing_between || !runtime.settings.counting_clock)
    return Milliseconds(last.time - first.time).count();
  return Milliseconds(std::chrono::nanoseconds(last.called - first.called)).count();
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return api_call([&](Runtime& runtime) {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    // What is out of range is cut to it, as the toolkit says.
    priority = std::clamp(priority, greatest_stream_priority, least_stream_priority);
    *stream = runtime.streams.create(flags, priority)->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  const CalledAs outer;
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  const CalledAs outer;
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
      return cudaErrorInvalidResourceHandle;
    }
    runtime.streams.destroy(&stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream(handle, [](Runtime& runtime, Stream& stream) {
    if (const cudaError_t code = refuse_capturing(stream); code != cudaSuccess) return code;
    ++runtime.counts.host_synchronizations;
    return have_waited(runtime, runtime.streams.synchronize(stream));
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream(handle, [](Runtime& runtime, Stream& stream) {
    if (const cudaError_t code = refuse_capturing(stream); code != cudaSuccess) return code;
    ++runtime.counts.host_synchronizations;
    if (stream.idle()) {
      runtime.streams.seen_done(stream);
      return runtime.errors.take_pending();
    }
    return runtime.streams.poll(stream);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned int flags) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    const EventPointer event = runtime.streams.find(event_handle);
    return event == nullptr ? cudaErrorInvalidResourceHandle
                            : runtime.streams.wait_for(stream, event, flags);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream(handle,
                     [&](Runtime&, Stream& stream) { return give(priority, stream.priority); });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return with_stream(handle, [&](Runtime&, Stream& stream) { return give(flags, stream.flags); });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return with_stream(handle, [&](Runtime&, Stream& stream) { return give(id, stream.id); });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return with_stream(handle, [&](Runtime&, Stream&) { return give(device, 0); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  return with_stream(handle, [&](Runtime&, Stream& stream) {
    if (value == nullptr) return cudaErrorInvalidValue;
    stream.attributes[id] = *value;  // hints about caches and priorities: kept, without effect
    if (id == cudaLaunchAttributePriority) stream.priority = value->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* value) {
  return with_stream(handle, [&](Runtime&, Stream& stream) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const auto set = stream.attributes.find(id);
    *value = set == stream.attributes.end() ? cudaLaunchAttributeValue{} : set->second;
    if (id == cudaLaunchAttributePriority) value->priority = stream.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream(to, [&](Runtime& runtime, Stream& stream) {
    const Stream* source = runtime.streams.find(from);
    if (source == nullptr) return cudaErrorInvalidResourceHandle;
    stream.attributes = source->attributes;
    stream.priority = source->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    *event = handle_of(runtime.streams.create_event(flags));
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  const CalledAs outer;
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api_call([&](Runtime& runtime) {
    return runtime.streams.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event_handle, cudaStream_t handle,
                                     unsigned int flags) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    const EventPointer event = runtime.streams.find(event_handle);
    return event == nullptr ? cudaErrorInvalidResourceHandle
                            : runtime.streams.record(stream, event, flags);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const CalledAs outer;
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return with_event(handle, [](Runtime& runtime, const EventPointer& event) {
    if (!event->capture.expired()) return cudaErrorCapturedEvent;
    ++runtime.counts.host_synchronizations;
    if (event->complete()) {
      runtime.streams.seen_done(*event);
      return runtime.errors.take_pending();
    }
    return runtime.streams.poll(*event);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [](Runtime& runtime, const EventPointer& event) {
    if (!event->capture.expired()) return cudaErrorCapturedEvent;
    ++runtime.counts.host_synchronizations;
    return have_waited(runtime, runtime.streams.synchronize(*event));
  });
}

// The host's clock at the moments when the simulator reached the events, or what was counted until
// then. Neither is the time of a GPU, and the report says which it is; see klab_sim_report.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return with_event(start, [&](Runtime& runtime, const EventPointer& first) {
    const EventPointer last = runtime.streams.find(end);
    if (last == nullptr) return cudaErrorInvalidResourceHandle;
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const bool timed = ((first->flags | last->flags) & cudaEventDisableTiming) == 0;
    if (!timed || !first->recorded || !last->recorded) return cudaErrorInvalidResourceHandle;
    const auto record = [](const Event& event) {
      return event.operation ? event.operation->sequence : 0;
    };
    const UnreadyTimes::Pair pair{record(*first), record(*last)};
    const bool watched = runtime.settings.checks == Checks::full;
    if (!first->complete() || !last->complete()) {
      if (runtime.unready_times.ask(pair, watched ? milliseconds : nullptr))
        return cudaErrorNotReady;
      // Who asks again waits for it.
      for (const EventPointer& event : {first, last})
        if (const cudaError_t code = runtime.streams.synchronize(*event); code != cudaSuccess)
          return code;
    } else if (watched && runtime.unready_times.keeps_back(pair, milliseconds)) {
      if (runtime.unready_times.is_first_kept_back())
        runtime.say(
            "A mark was left to stand for a time that was not there. From now on "
            "cudaEventElapsedTime answers cudaErrorNotReady more often where it finds one.");
      return cudaErrorNotReady;
    }
    runtime.unready_times.answer(pair);
    *milliseconds = milliseconds_between(runtime, *first, *last);
    return cudaSuccess;
  });
}

}  // extern "C"
