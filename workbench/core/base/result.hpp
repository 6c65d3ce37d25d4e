// Result and Error: how core reports what went wrong, always with a remedy.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/advice.hpp"

namespace klab {

/// Everything that can go wrong, as a closed list. Panels and verbs choose by code, never by text.
enum class ErrorCode {
  usage,                 ///< the command line or request asks for something that does not exist
  bad_lab,               ///< lab.toml is missing or broken: file, line, key, what was expected
  not_started,           ///< the learner's file is not in the workbook yet
  io,                    ///< a file could not be read or written
  no_toolkit,            ///< no CUDA 13 toolkit was found
  build_failed,          ///< nvcc rejected the kernel
  bad_plugin,            ///< the plugin lacks `launch` or cannot be loaded
  no_device,             ///< no CUDA device, or none this lab can use
  driver_too_old,        ///< the driver does not support the toolkit's runtime
  launch_failed,         ///< the kernel could not be launched (configuration, resources)
  device_fault,          ///< illegal address, misaligned access, device assert: the context is lost
  hang,                  ///< killed after the lab's time limit
  too_slow,              ///< nothing is wrong, but the simulator takes longer than a check may
  crash,                 ///< the host part of the kernel file ended the runner by a signal
  out_of_memory,         ///< the GPU has too little free memory
  profiler_denied,       ///< hardware counters need a permission (CUPTI 35)
  profiler_busy,         ///< another program owns the counters (CUPTI 26)
  profiler_attached,     ///< an external profiler is attached (CUPTI 39)
  profiler_unsupported,  ///< this device or configuration has no counters
  protocol_mismatch,     ///< runner and workbench are of different versions
  runner_failed,         ///< the runner ended without an answer
  no_runner,             ///< a runner's command cannot be started, does not answer, or broke off
  unsupported,           ///< the simulator cannot run this kernel
  canceled,              ///< the user stopped it
};

/// One failure: `what` is a sentence, `remedy` says what to do next, `detail` is optional raw text
/// (compiler output, stderr).
struct Error {
  ErrorCode code = ErrorCode::usage;
  std::string what;
  Advice remedy;
  std::string detail;
};

/// The code's name as it appears in records, e.g. "device_fault".
std::string_view to_string(ErrorCode code);
/// The code named so, or ErrorCode::runner_failed for an unknown name.
ErrorCode error_code_from(std::string_view name);
/// The remedy that fits the code when nothing more specific is known; never empty.
const Advice& default_remedy(ErrorCode code);
/// All codes, for tests and documentation.
const std::vector<ErrorCode>& all_error_codes();

/// An Error whose remedy is the code's default where none is given.
Error make_error(ErrorCode code, std::string what, Advice remedy = {}, std::string detail = {});
/// ErrorCode::no_device, on a machine that has no driver.
Error no_driver();

struct Ok {};

/// A value or an Error. `Result<>` is success without a value.
template <class T = Ok>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace klab
