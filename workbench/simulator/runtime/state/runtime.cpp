// State shared by all runtime functions: errors, findings, messages, the device.
#include "simulator/runtime/state/runtime.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "simulator/runtime/state/errors.hpp"
#include "simulator/runtime/state/host_access.hpp"

namespace klab::sim {
namespace {

// A broken kernel can be launched a million times; the first findings say it all.
constexpr std::size_t most_findings = 256;
constexpr std::size_t most_messages = 256;

thread_local cudaError_t last_error = cudaSuccess;

std::string as_sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.ends_with('.')) text += '.';
  return text;
}

/// What a person reads: place and kernel first, as compilers do.
std::string told(const Finding& finding) {
  std::string text;
  if (finding.where.line != 0) {
    text = finding.where.file + ":" + std::to_string(finding.where.line) + ": ";
  }
  if (!finding.kernel.empty()) text += "kernel " + brief_name(finding.kernel) + ": ";
  return text + finding.message;
}

}  // namespace

std::chrono::steady_clock::time_point Runtime::now() const {
  using Clock = std::chrono::steady_clock;
  return settings.counting_clock ? Clock::time_point(std::chrono::nanoseconds(ticks))
                                 : Clock::now();
}

cudaError_t Errors::record(cudaError_t code) {
  // Not ready is an answer, not a failure (toolkit documentation of cudaStreamQuery).
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

cudaError_t Errors::last(bool reset) {
  if (fatal_seen_) return fatal_;
  const cudaError_t code = last_error;
  if (reset) last_error = cudaSuccess;
  return code;
}

void Errors::set_fatal(cudaError_t code, FaultedWork work) {
  if (fatal_ != cudaSuccess) return;
  fault_ = fatal_ = code;
  faulted_ = std::move(work);
}

void Errors::end_launch(cudaError_t code, FaultedWork work) {
  ended_ = fatal_ == cudaSuccess;
  set_fatal(code, std::move(work));
}

void Errors::call_kernel_file(bool on) {
  in_kernel_file_ = on;
  kept_silent_ = 0;
}

cudaError_t Errors::fatal() {
  constexpr int long_enough = 100'000;
  if (ended_ && in_kernel_file_ && kept_silent_ < long_enough) {
    ++kept_silent_;
    return cudaSuccess;
  }
  if (fatal_ != cudaSuccess) fatal_seen_ = true;
  return fatal_;
}

void Errors::set_pending(cudaError_t code) {
  if (pending_ == cudaSuccess) pending_ = code;
}

cudaError_t Errors::take_pending() {
  if (fatal() != cudaSuccess) return fatal_;
  return std::exchange(pending_, cudaSuccess);
}

void Errors::clear() {
  fault_ = fatal_ = pending_ = last_error = cudaSuccess;
  fatal_seen_ = ended_ = false;
}

void Errors::lose_device() {
  fatal_ = cudaErrorDevicesUnavailable;
  pending_ = last_error = cudaSuccess;
  fatal_seen_ = false;
}

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

Device& Runtime::device() {
  if (!device_) {
    device_ = std::make_unique<Device>(memory_limit_bytes_);
    device_->memory().ask_for_names(
        [this](std::uint64_t address) { return modules.shadow_at(address); });
    if (threads_ != 0) device_->set_threads(threads_);
    device_->memory().set_tracking(settings.checks == Checks::full);
    device_->memory().watch_pages(settings.asks_for_touched_pages());
    watch_host_access(device_->memory());
  }
  return *device_;
}

void Runtime::set_memory_limit(std::uint64_t bytes) {
  memory_limit_bytes_ = bytes;
  if (device_) device_->memory().set_limit_bytes(bytes);
}

std::optional<std::uint64_t> Runtime::allocate(std::uint64_t bytes, MemoryKind kind) {
  const DeviceMemory& memory = device().memory();
  const auto base = device().memory().allocate(bytes, kind);
  if (!base) {
    ++left_out.allocations;
    left_out.most_bytes = std::max(left_out.most_bytes, bytes);
  }
  if (!base && memory.arena_bytes() == 0)
    say("This system gives the simulator no room for device memory: it needs 8 GiB of address "
        "space at the least, far more than it uses, and a file in memory of 4 GiB. See `ulimit -v` "
        "and `ulimit -f`.");
  else if (!base)
    say("An allocation of " + std::to_string(bytes) +
        " bytes does not fit: " + std::to_string(memory.used_bytes()) + " of " +
        std::to_string(memory.limit_bytes()) + " bytes of simulated memory are in use.");
  else
    order.add_memory("allocate", name_of(kind), bytes);
  return base;
}

void Runtime::set_threads(unsigned threads) {
  threads_ = threads;
  if (device_) device_->set_threads(threads);
}

void Runtime::add(Finding finding) {
  finding.message = as_sentence(std::move(finding.message));
  const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return replaces(other, finding) ||
           (other.kind == finding.kind && is_same_place(other, finding));
  });
  std::erase_if(findings_, [&](const Finding& other) { return replaces(finding, other); });
  if (known || findings_.size() >= most_findings) return;
  if (listener) {
    note(told(finding));
    listener(finding);
  } else {
    say(told(finding));
  }
  findings_.push_back(std::move(finding));
}

void Runtime::add(Missing missing) {
  const auto [entry, is_new] = missing_.insert(std::move(missing));
  if (!is_new) return;
  say(entry->message);
  if (on_refusal) on_refusal(*entry);
}

bool Runtime::note(const std::string& sentence) {
  if (messages_.size() >= most_messages) return false;
  if (std::find(messages_.begin(), messages_.end(), sentence) != messages_.end()) return false;
  messages_.push_back(sentence);
  return true;
}

void Runtime::say(const std::string& sentence) {
  if (!note(sentence)) return;
  if (hearer) return hearer(sentence);
  // Launch after launch may do the same wrong.
  if (!settings.quiet && said_.size() < most_messages && said_.insert(sentence).second)
    std::fprintf(stderr, "simulator: %s\n", sentence.c_str());
}

// Answers that a program may well ask for are none of its mistakes.
void Runtime::refused(std::string_view call, cudaError_t code, bool has_said_why) {
  const auto keep = [&](const std::string& sentence) {
    if (first_refusal_.empty()) first_refusal_ = sentence;
  };
  if (has_said_why) return keep(messages_.back());
  constexpr cudaError_t mistakes[] = {cudaErrorInvalidValue,
                                      cudaErrorInvalidPitchValue,
                                      cudaErrorInvalidSymbol,
                                      cudaErrorInvalidResourceHandle,
                                      cudaErrorInvalidMemcpyDirection,
                                      cudaErrorInvalidDeviceFunction,
                                      cudaErrorIllegalState,
                                      cudaErrorHostMemoryAlreadyRegistered,
                                      cudaErrorHostMemoryNotRegistered,
                                      cudaErrorStreamCaptureUnsupported,
                                      cudaErrorStreamCaptureInvalidated,
                                      cudaErrorStreamCaptureMerge,
                                      cudaErrorStreamCaptureUnmatched,
                                      cudaErrorStreamCaptureUnjoined,
                                      cudaErrorStreamCaptureIsolation,
                                      cudaErrorStreamCaptureImplicit,
                                      cudaErrorStreamCaptureWrongThread};
  if (std::find(std::begin(mistakes), std::end(mistakes), code) == std::end(mistakes)) return;
  const std::string sentence = fmt::format("{} answers {} ({}) and does nothing.",
                                           call.starts_with("__cuda") ? "A launch" : call,
                                           error_name(code), error_text(code));
  keep(sentence);
  if (settings.checks == Checks::full) say(sentence);
}

void Runtime::begin() {
  streams.run_pending();
  counts = {};
  left_out = {};
  counts_left_out.clear();
  findings_.clear();
  missing_.clear();
  messages_.clear();
  errors.clear();
  unready_times.forget();
  cancel = false;
  modules.reset_counts();
  allocations.begin();
}

std::string readable_name(const std::string& symbol) {
  int status = 0;
  if (!symbol.starts_with("_Z")) return symbol;  // "f" alone would be read as a type: float
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

std::string brief_name(const std::string& symbol) {
  constexpr std::size_t long_name = 120, long_list = 30;
  const std::string name = readable_name(symbol);
  if (name.size() <= long_name) return name;
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    out += name[at];
    if (name[at] != '<' || out.ends_with("operator<")) continue;
    std::size_t end = at, depth = 0;  // of the list of arguments
    for (; end < name.size(); ++end) {
      if (name[end] == '<') ++depth;
      if (name[end] == '>' && name[end - 1] != '-' && --depth == 0) break;
    }
    if (end == name.size() || end - at <= long_list) continue;
    out += "...";
    at = end - 1;
  }
  return out;
}

std::size_t Runtime::living_objects() const {
  const std::size_t textures = has_device() ? device_->memory().textures().objects() : 0;
  return streams.living() + graphs.living() + allocations.pools.size() + registered + textures;
}

void Runtime::tell_freed_twice(std::uint64_t address) {
  if (!has_device()) return;
  const Allocation* known = device().memory().find(address);
  const AllocationRecord* record = allocations.at(address);
  if (known == nullptr || (!known->freed && (record == nullptr || !record->freed))) return;
  Finding finding;
  finding.kind = FindingKind::use_after_free;
  finding.address = address;
  finding.allocation = device().memory().describe(address);
  finding.message = "Memory is freed twice: " + finding.allocation + ".";
  add(std::move(finding));
}

void Runtime::tell_unready_times() {
  if (!unready_times.any_used()) return;
  Finding finding;
  finding.kind = FindingKind::unsynchronized_read;
  finding.message =
      "A time between two events is used that is none: cudaEventElapsedTime answered "
      "cudaErrorNotReady, since the work in front of the second event was not done, and was not "
      "asked again. Wait for that event first (cudaEventSynchronize), or look at the answer";
  add(std::move(finding));
}

void Runtime::no_longer_kept(std::uint64_t base) {
  AllocationRecord* record = allocations.at(base);
  if (record == nullptr || !record->kept_by_launch) return;
  record->kept_by_launch = false;
  --counts.kept_allocations;
}

void Runtime::lack(const std::string& function, const std::string& sentence) {
  add(Missing{function, {}, {}, 0, sentence});
  if (lacking) lacking(sentence);
}

namespace {

/// What stands in for functions whose names hold a word; for others nothing does.
struct Remedy {
  std::string_view word, sentence;
};
constexpr Remedy remedies[] = {
    {"Ipc", "Let one process do the work, or hand the bytes on through host memory that is shared"},
    {"MemPoolExport",
     "Let one process do the work, or hand the bytes on through host memory that is shared"},
    {"MemPoolImport",
     "Let one process do the work, or hand the bytes on through host memory that is shared"},
    {"Mipmapped", "Make an array and a texture of each level"},
    {"External", "Take memory by cudaMalloc and wait by events"},
    {"Graphics", "Copy the picture to the host and write it into a file"},
    {"cudaGL", "Copy the picture to the host and write it into a file"},
    {"EGL", "Copy the picture to the host and write it into a file"},
    {"VDPAU", "Copy the picture to the host and write it into a file"},
    {"BatchAsync", "Call for each piece what does it alone"},
    {"cudaLogs", "Look at what each call answers (cudaGetErrorString)"},
};

std::string_view remedy_for(std::string_view function) {
  for (const Remedy& remedy : remedies)
    if (function.find(remedy.word) != function.npos) return remedy.sentence;
  return "Do without it";
}

}  // namespace

int missing(const char* function) noexcept {
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    runtime.lack(function, fmt::format("{} is not part of the simulated runtime; the call answers "
                                       "cudaErrorNotSupported. {}, or run the program on a GPU.",
                                       function, remedy_for(function)));
  } catch (...) {
  }
  return Errors::record(cudaErrorNotSupported);
}

}  // namespace klab::sim
