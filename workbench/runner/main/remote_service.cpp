// Serving a remote request: the same phase as for a local one, with the wire in between.
#include "runner/main/remote_service.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/build/calls/forbidden_calls.hpp"
#include "core/process/scratch_folder.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/timing/interleaved.hpp"
#include "core/wire/remote_request.hpp"
#include "core/wire/runner_client.hpp"
#include "runner/device/record_writer.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {
namespace {

namespace fs = std::filesystem;

constexpr int beat_interval_ms = 1000;
constexpr int look_interval_ms = 50;

std::atomic<bool> gone = false;

void on_signal(int) { gone = true; }

/// The way back: records and signs of life, each written whole.
class Wire {
 public:
  explicit Wire(int descriptor)
      : descriptor_(descriptor),
        writer_(descriptor),
        beat_([this](const std::stop_token& stop) { beat(stop); }) {}

  void write(const Record& record) {
    const std::lock_guard lock(mutex_);
    writer_.write(record);
  }

 private:
  /// Ends the request once the other side is gone, which shows on the descriptor without writing.
  void beat(const std::stop_token& stop) {
    for (int waited_ms = 0; !stop.stop_requested() && !gone; waited_ms += look_interval_ms) {
      pollfd wait{descriptor_, 0, 0};
      ::poll(&wait, 1, 0);
      if ((wait.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) gone = true;
      if (waited_ms % beat_interval_ms == 0) {
        const std::lock_guard lock(mutex_);
        if (::write(descriptor_, "\n", 1) < 0 && errno == EPIPE) gone = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(look_interval_ms));
    }
  }

  int descriptor_;
  std::mutex mutex_;
  RecordWriter writer_;
  std::jthread beat_;  // last: it uses the others
};

/// Standard input up to its end; nullopt beyond the bound, or when nobody is there any more.
std::optional<std::string> all_input() {
  std::string bytes;
  std::string buffer(1u << 16, '\0');
  while (!gone) {
    pollfd wait{STDIN_FILENO, POLLIN, 0};
    if (::poll(&wait, 1, look_interval_ms) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer, 0, static_cast<std::size_t>(count));
    if (bytes.size() > longest_remote_request_bytes) return std::nullopt;
  }
  return std::nullopt;
}

/// Asking for the device disturbs nobody. Watching looks itself whether anybody holds the GPU, and
/// would keep all others waiting if it held it.
bool takes_the_gpu(Phase phase) { return phase != Phase::device && phase != Phase::live; }

/// Runs the request here; the error, if there is one that no record has told yet.
std::optional<Error> serve(Wire& wire, const Tree& here) {
  const auto input = all_input();
  if (!input)
    return make_error(ErrorCode::protocol_mismatch, "The request is too long or was broken off.");
  const auto remote = decode_remote_request(*input);
  if (!remote) return remote.error();
  const auto folder = ScratchFolder::make();
  if (!folder)
    return make_error(ErrorCode::io, "The remote machine has no temporary folder to write to.",
                      "Set TMPDIR there to a folder that can be written.");
  const auto request = unpack(*remote, folder->path());
  if (!request) return request.error();
  // What was sent may have been built by anybody.
  for (const PluginRequest& plugin : request->plugins)
    if (auto misused = misuse_in(plugin.library)) return *misused;

  std::optional<GpuLock> lock;
  if (!is_simulated() && takes_the_gpu(request->phase))
    lock.emplace(
        Tree{.visible_devices = here.visible_devices},  // not the line of a runner named there
        [&] {
          wire.write(record::Progress{"waiting in line for the remote GPU", {}, {}});
        },
        gone);
  std::error_code unknown;
  const fs::path self = fs::read_symlink("/proc/self/exe", unknown);
  const auto relay = [&](const Record& record) {
    if (!std::holds_alternative<record::Hello>(record) &&
        !std::holds_alternative<record::Done>(record))
      wire.write(record);
  };
  const bool in_turns = request->phase == Phase::time && !is_simulated();
  const PhaseOutcome outcome =
      in_turns ? time_interleaved(self, *request, remote->time_limit_s, relay, &gone)
               : run_local_phase(self, *request, remote->time_limit_s, relay, &gone);
  // Nothing is lost where it cannot be written: it is only what a learner's program printed.
  [[maybe_unused]] const auto written =
      ::write(STDERR_FILENO, outcome.output.data(), outcome.output.size());
  const bool told = !outcome.all<record::Failure>().empty();
  return told ? std::nullopt : outcome.error;
}

}  // namespace

int serve_remote(const Tree& here) {
  // Whatever prints from now on prints to standard error.
  const int records = ::dup(STDOUT_FILENO);
  if (records < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 2;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::signal(signal, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  Wire wire(records);
  wire.write(record::Hello{protocol_version, backend_of(is_simulated())});
  if (const auto error = serve(wire, here)) wire.write(record::Failure{*error, {}});
  wire.write(record::Done{});
  return 0;
}

}  // namespace klab::runner
