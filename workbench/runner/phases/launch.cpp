// Launching and waiting: where a learner's mistake first shows as a CUDA status.
#include "runner/phases/launch.hpp"

#include "core/base/text.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {
namespace {

std::string kernel_named(const std::string& name) {
  return name.empty() ? "A kernel" : "The kernel " + name;
}

/// After a fault; `of_other_work`: that uses memory which is gone.
Advice remedy_for_fault(const PhaseSetup& setup, cudaError_t status, bool of_other_work) {
  if (of_other_work) return "Let memory live until the last work that uses it is done.";
  if (status == cudaErrorAssert)
    return "The kernel says itself that something is not as it should be: see what the assertion "
           "asks.";
  if (!is_simulated())
    return "See the line with `compute-sanitizer --target-processes all klab check " +
           setup.request.lab + "`, and check the bounds of every index.";
  // A trap, or a stack that is too deep.
  if (status == cudaErrorLaunchFailure || status == cudaErrorHardwareStackError)
    return "See what the kernel does there, and why.";
  return "The finding above names the line; check the bounds of every index.";
}

/// After a call that failed: a kernel's launch, or another whose error nobody took. `refusal` names
/// it, where that is known.
Advice remedy_for_call(cudaError_t status, const std::string& refusal) {
  if (refusal.starts_with("cuda"))
    return refusal.find("Capture") != std::string::npos
               ? "While a stream is captured, a call may only ask for what a graph can hold: make "
                 "that call before the capture begins, or behind its end."
               : "Look at what that call was given, and at what each call of CUDA in `launch` "
                 "returns: those behind it may fail for it alone.";
  switch (status) {
    case cudaErrorNotPermitted:
      return "Call CUDA in `launch`, in the stream's order, and leave the host function what the "
             "host has to do.";
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
      return default_remedy(ErrorCode::launch_failed);
    case cudaErrorInvalidValue:
      return default_remedy(ErrorCode::launch_failed) +
             " If no launch is at fault, look at what each call of CUDA in `launch` returns.";
    default:
      return "Some call of CUDA in `launch` answered this: look at what each of them returns, and "
             "at what it was given.";
  }
}

std::string named(const Plugin& plugin) {
  if (plugin.variant() == VariantName::mine) return "your kernel file";
  return "'" + plugin.variant().shown() + "'";
}

void require(PhaseSetup& setup, const Plugin& plugin, cudaError_t status, const std::string& kernel,
             bool launching) {
  if (status == cudaSuccess) return;
  const std::string reason =
      std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")";
  Error error = cuda_error(status, "running the kernel file");
  const std::string refusal = is_device_fault(status) ? std::string() : refusal_sentence();
  const std::string more = refusal.empty() ? fault_sentence() : refusal;
  if (is_device_fault(status)) {
    const bool endless = status == cudaErrorLaunchTimeout;
    const FaultedWork work = faulted_work();
    error.what = (work.other.empty() ? kernel_named(work.kernel.empty() ? kernel : work.kernel)
                                     : capitalized(work.other)) +
                 " of " + named(plugin) + (endless ? " did not finish: " : " faulted: ") + reason +
                 ".";
    // Of what did not finish the simulator tells kernel and line itself.
    if (!more.empty()) error.what = endless ? more : error.what + " " + more;
    error.remedy = remedy_for_fault(setup, status, !work.other.empty());
    if (endless) {
      error.code = ErrorCode::hang;
      error.remedy = default_remedy(error.code);
      // Who waits for what nobody will do waits as long with more.
      if (is_simulated() && !has_deadlocked())
        error.remedy +=
            " Where the problem is only large, give it more: " + Act{Verb::raise_budget} + ".";
    }
  } else if (error.code == ErrorCode::out_of_memory && is_simulated()) {
    error.what += " " + more;
    error.remedy = "Allocate less: the simulated device has half of this machine's memory.";
  } else if (launching && error.code != ErrorCode::out_of_memory) {
    if (error.code != ErrorCode::unsupported) error.code = ErrorCode::launch_failed;
    error.what = "The launch of " + named(plugin) + " failed" +
                 (kernel.empty() || !more.empty() ? "" : ", last at the kernel " + kernel) + ": " +
                 reason + ".";
    if (!more.empty()) error.what += " " + more;
    error.remedy = error.code == ErrorCode::unsupported ? default_remedy(error.code)
                                                        : remedy_for_call(status, refusal);
  }
  const bool of_a_size =
      error.code == ErrorCode::launch_failed || error.code == ErrorCode::device_fault;
  if (of_a_size && !setup.at_hand.empty())
    error.what += " This is at the size " + to_string(setup.at_hand) + ".";
  throw RunnerError(std::move(error), plugin.variant());
}

/// The given stream is to be as it was: not gone, and not in a capture.
void require_stream(const PhaseSetup& setup, const Plugin& plugin) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t status = cudaStreamIsCapturing(setup.stream.get(), &capture);
  const bool gone = status == cudaErrorInvalidResourceHandle;
  if (gone) cudaGetLastError();
  if (!gone && (status != cudaSuccess || capture == cudaStreamCaptureStatusNone)) return;
  const std::string whose = "The launch of " + named(plugin);
  throw RunnerError(
      gone
          ? make_error(ErrorCode::launch_failed, whose + " destroyed the stream that it was given.",
                       "Leave that stream to whoever made it; destroy your own.")
          : make_error(ErrorCode::launch_failed,
                       whose + " left the given stream in a capture: nothing runs there any more.",
                       "End each capture that `launch` begins, on whatever way it returns: "
                       "cudaStreamEndCapture()."),
      plugin.variant());
}

}  // namespace

void forget_errors() {
  cudaGetLastError();
  forget_last_launch();
}

void require_launched(PhaseSetup& setup, const Plugin& plugin) {
  if (setup.second)
    check_cuda(cudaSetDevice(setup.device));  // the file may have left the other one
  const cudaError_t status = cudaGetLastError();
  require(setup, plugin, status, status == cudaSuccess ? "" : last_launch(), true);
  require_stream(setup, plugin);
}

void launch(PhaseSetup& setup, const Plugin& plugin, const void* args) {
  forget_errors();
  {
    const InKernelFile inside;
    plugin.launch(args, setup.stream.get());
  }
  require_launched(setup, plugin);
}

void wait_for_stream(PhaseSetup& setup, const Plugin& plugin) {
  const std::string kernel = last_launch();  // asked before the fault, when CUDA still answers
  require(setup, plugin, cudaStreamSynchronize(setup.stream.get()), kernel, false);
}

void wait_for_device(PhaseSetup& setup, const Plugin& plugin) {
  const std::string kernel = last_launch();
  require(setup, plugin, cudaDeviceSynchronize(), kernel, false);
  // On the simulator both are one.
  if (setup.second && setup.second->number() != setup.device)
    require(setup, plugin, setup.second->wait(), kernel, false);
}

void wait_for_second_stream(PhaseSetup& setup, const Plugin& plugin) {
  const std::string kernel = last_launch();
  require(setup, plugin, cudaStreamSynchronize(setup.second->stream()), kernel, false);
}

}  // namespace klab::runner
