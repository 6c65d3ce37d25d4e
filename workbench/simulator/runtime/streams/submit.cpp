// What a call asks of a stream: run at once, or queued until something waits for it; or captured.
#include <algorithm>

#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/poison.hpp"
#include "simulator/runtime/streams/streams.hpp"
#include "simulator/runtime/streams/waits/host_code.hpp"

namespace klab::sim {
namespace {

/// Whether work is queued, and run when something waits for it. Where waits may be unseen a host
/// function is, too, and what is asked for as long as it is pending: it may take a lock that the
/// caller holds.
bool is_deferred(const Streams& streams, const Work& work) {
  const Settings& settings = Runtime::instance().settings;
  return settings.deferred || !streams.idle() || (settings.unseen_waits && runs_host_code(work));
}

/// A copy to pageable memory is complete when the call returns.
bool returns_when_done(const Work& work) {
  const auto* copy = std::get_if<CopyWork>(&work);
  if (copy == nullptr) return false;
  const Place destination = place_of(copy->destination);
  return destination.side == Side::host && !destination.pinned;
}

}  // namespace

cudaError_t Streams::execute_now(const Stream& stream, const Work& work) {
  if (Runtime::instance().errors.has_faulted()) return cudaSuccess;  // and nobody was told
  OrderLog& order = Runtime::instance().order;
  order.work_for(order.asked_by_call(stream.id));
  return execute(work);
}

void Streams::note_kernel(const Work& work) {
  const auto* kernel = std::get_if<KernelWork>(&work);
  if (kernel == nullptr) return;
  last_kernel_ = last_work_;
  last_kernel_name_ = kernel->kernel->name;
}

std::string Streams::unwaited_kernel() const {
  return last_kernel_ != 0 ? readable_name(last_kernel_name_) : std::string();
}

cudaError_t Streams::submit(Stream& stream, Work work) {
  if (stream.capture) return captures.add(stream, std::move(work));
  if (stream.legacy) {
    if (const cudaError_t code = forbid_legacy_in_capture(); code != cudaSuccess) return code;
  }
  stream.behind = ++last_work_;
  note_kernel(work);
  if (returns_when_done(work)) seen_done(stream);
  if (!is_deferred(*this, work)) return execute_now(stream, work);
  const auto* graph = std::get_if<GraphWork>(&work);
  const bool beside =
      graph && graph->program->has_branches && Runtime::instance().settings.checks == Checks::full;
  if (beside || (graph && graph->program->has_events)) {
    stream.tail = queue_steps(stream, *graph->program, dependencies(stream),
                              Runtime::instance().order.asked_by_call(stream.id));
    for (const OperationPointer& last : stream.tail) last->keeps = graph->program;
    return cudaSuccess;
  }
  if (auto* copy = std::get_if<CopyWork>(&work)) {
    const Place source = place_of(copy->source);
    const Place destination = place_of(copy->destination);
    // Pageable memory takes part through a staging buffer: a source is read during the call, and a
    // destination is complete when the call returns (toolkit: API synchronization behavior).
    if (destination.side == Side::host && !destination.pinned) {
      OperationPointer operation;
      queue(stream, std::move(work), &operation);
      run({operation});
      return Runtime::instance().errors.take_pending();
    }
    if (source.side == Side::host && !source.pinned) copy->stage_source();
  }
  const auto* copy = std::get_if<CopyWork>(&work);
  // What a pending copy still reads must not be poisoned; and what host functions in front of it
  // may read and write must stay open to the host.
  const bool guards = copy != nullptr
                          ? !pending_sources_.any_in(copy->destination, copy->destination_span())
                          : graph != nullptr && !runs_host_code(work);
  OperationPointer operation;
  queue(stream, std::move(work), &operation);
  if (guards && Runtime::instance().settings.deferred && !operation->behind_host_code)
    guard_pending(operation->work);
  return cudaSuccess;
}

void Streams::allocated(Stream& stream, std::uint64_t address, std::size_t bytes) {
  const Settings& settings = Runtime::instance().settings;
  OperationPointer operation;
  if (settings.deferred && settings.checks == Checks::full)
    queue(stream, AllocateWork{address, bytes}, &operation);
  if (operation) operation->order->allocates = true;
}

cudaError_t Streams::submit_and_wait(Stream& stream, Work work) {
  if (stream.capture) return cudaErrorStreamCaptureUnsupported;
  if (stream.legacy) {
    if (const cudaError_t code = forbid_legacy_in_capture(); code != cudaSuccess) return code;
  }
  Runtime& runtime = Runtime::instance();
  ++runtime.counts.synchronous_copies;
  stream.behind = ++last_work_;
  wait_on_host(last_work_);
  if (is_deferred(*this, work)) {
    OperationPointer operation;
    queue(stream, std::move(work), &operation);
    run({operation});
    return runtime.errors.take_pending();
  }
  const cudaError_t code = execute_now(stream, work);
  return code != cudaSuccess ? code : runtime.errors.take_pending();
}

cudaError_t Streams::record(Stream& stream, const EventPointer& event, unsigned flags) {
  if (stream.capture) {
    if ((flags & cudaEventRecordExternal) != 0) return captures.add(stream, EventWork{event});
    if (stream.capture->invalid) return cudaErrorStreamCaptureInvalidated;
    event->capture = stream.capture;
    event->frontier = stream.frontier;
    return cudaSuccess;
  }
  if (stream.legacy) {
    if (const cudaError_t code = forbid_legacy_in_capture(); code != cudaSuccess) return code;
  }
  event->capture.reset();
  event->recorded = true;
  event->operation.reset();
  event->behind = last_in_front(stream);
  event->called = Runtime::instance().calls;
  const EventWork work{event, event->behind};
  if (!is_deferred(*this, work)) return execute_now(stream, work);
  queue(stream, work, &event->operation);
  return cudaSuccess;
}

cudaError_t Streams::wait_for(Stream& stream, const EventPointer& event, unsigned flags) {
  if (stream.capture && (flags & cudaEventWaitExternal) != 0)
    return captures.add(stream, WaitWork{event});
  if (const auto capture = event->capture.lock()) {
    if (stream.capture && stream.capture != capture) return cudaErrorStreamCaptureMerge;
    if (stream.legacy) return cudaErrorStreamCaptureImplicit;
    stream.capture = capture;
    capture->members.insert(&stream);
    for (GraphNode* node : event->frontier) {
      auto& list = stream.frontier;
      if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
    }
    return cudaSuccess;
  }
  if (stream.capture) return event->recorded ? cudaErrorStreamCaptureIsolation : cudaSuccess;
  stream.behind = std::max(stream.behind, event->behind == 0 ? last_work_ : event->behind);
  if (event->operation && !event->operation->done) stream.tail.push_back(event->operation);
  return cudaSuccess;
}

}  // namespace klab::sim
