// Spawning and draining a child process without ever blocking on it.
#include "core/process/process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "core/process/child.hpp"
#include "core/process/guardian.hpp"
#include "core/process/process_control.hpp"
#include "core/process/run_delay.hpp"

namespace klab {
namespace {

using Clock = std::chrono::steady_clock;

/// How often cancel and the time limit are looked at while the child is silent.
constexpr int poll_interval_ms = 20;
/// After the child itself has ended, grandchildren may hold its pipes open; this long they may
/// still write.
constexpr auto drain_time = std::chrono::milliseconds(200);
/// A killed child that is stuck inside the driver is given up after this long; it ends when the
/// driver lets go.
constexpr auto kill_grace = std::chrono::seconds(10);

/// Captured text whose middle is dropped once it is longer than the limit.
class Capture {
 public:
  explicit Capture(std::size_t limit) : limit_(limit) {}
  void append(std::string_view text) {
    if (head_.size() < limit_ / 2) {
      const std::size_t taken = std::min(text.size(), limit_ / 2 - head_.size());
      head_.append(text.substr(0, taken));
      text.remove_prefix(taken);
    }
    tail_.append(text);
    if (tail_.size() > limit_) {
      dropped_ += tail_.size() - limit_ / 2;
      tail_.erase(0, tail_.size() - limit_ / 2);
    }
  }
  std::string text() const {
    if (dropped_ == 0) return head_ + tail_;
    return head_ + "\n[... " + std::to_string(left_out()) + " bytes of output left out ...]\n" +
           tail_.substr(excess());
  }
  std::size_t left_out() const { return dropped_ == 0 ? 0 : dropped_ + excess(); }

 private:
  std::size_t excess() const { return tail_.size() - std::min(tail_.size(), limit_ / 2); }

  std::size_t limit_;
  std::size_t dropped_ = 0;
  std::string head_, tail_;
};

/// Splits the record stream into lines, until their reader wants no more.
class LineSplitter {
 public:
  explicit LineSplitter(const OnLine& on_line) : on_line_(on_line) {}
  void append(std::string_view text) {
    while (!text.empty() && !refused_) {
      const std::size_t end = text.find('\n');
      const std::string_view part = text.substr(0, end);
      if (!skipping_) pending_.append(part.substr(0, longest_line_bytes + 1 - pending_.size()));
      if (end == std::string_view::npos && pending_.size() <= longest_line_bytes) return;
      if (!skipping_ && !pending_.empty() && on_line_) refused_ = !on_line_(pending_);
      pending_.clear();
      skipping_ = end == std::string_view::npos;
      if (skipping_) return;
      text.remove_prefix(end + 1);
    }
  }
  bool refused() const { return refused_; }

 private:
  const OnLine& on_line_;
  bool refused_ = false;
  bool skipping_ = false;
  std::string pending_;
};

/// Reads what is there into `sink` and notes in `heard` that there was something; returns false
/// once the other end is closed.
template <class Sink>
bool drain(Descriptor& end, Sink& sink, bool& heard) {
  std::array<char, 65536> buffer;
  for (int round = 0; round < 16; ++round) {
    const ssize_t count = ::read(end.get(), buffer.data(), buffer.size());
    if (count > 0) {
      heard = true;
      sink.append(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
      continue;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    return false;
  }
  return true;
}

/// What goes to the child's standard input, as it becomes known.
class Feeder {
 public:
  explicit Feeder(const ProcessRequest& request)
      : input_(request.input), control_(request.control) {}

  /// Writes as much as the pipe takes; closes it at the end or when nobody reads.
  void feed(Descriptor& end) {
    if (control_ && is_open_) is_open_ = control_->take(input_);
    while (fed_ < input_.size()) {
      const ssize_t count = ::write(end.get(), input_.data() + fed_, input_.size() - fed_);
      if (count > 0) {
        fed_ += static_cast<std::size_t>(count);
        continue;
      }
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      end.close();
      return;
    }
    input_.clear();
    fed_ = 0;
    if (!control_ || !is_open_) end.close();
  }
  /// Whether there is something to write, rather than to wait for.
  bool has_more() const { return !control_ || !is_open_ || fed_ < input_.size(); }

 private:
  std::string input_;
  std::size_t fed_ = 0;
  ProcessControl* control_;
  bool is_open_ = true;
};

/// However busy the machine, nobody waits longer than so many time limits.
constexpr int longest_extension = 10;

Clock::duration duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// A child as long as it runs: fed, listened to, and killed with its group at a limit.
class Watch {
 public:
  Watch(Child child, const ProcessRequest& request, const OnLine& on_record,
        const std::atomic<bool>* canceled, Clock::time_point start)
      : child_(std::move(child)),
        request_(request),
        canceled_(canceled),
        start_(start),
        limit_(duration(request.time_limit_s)),
        out_(request.capture_limit_bytes),
        err_(request.capture_limit_bytes),
        records_(on_record),
        feeder_(request) {}

  ProcessResult run() {
    while (true) {
      const bool all_closed = wait();
      if (child_.in.get() >= 0) feeder_.feed(child_.in);
      const auto now = read();
      reap(now);
      if ((ended_ && all_closed) || now >= give_up_) break;
      if (!ended_ && !killed_) keep_limits(now);
    }
    if (request_.control) request_.control->ended();
    result_.out = out_.text();
    result_.err = err_.text();
    result_.left_out_bytes = out_.left_out() + err_.left_out();
    if (!ended_) result_.signal = SIGKILL;
    if (ended_ && WIFSIGNALED(status_)) result_.signal = WTERMSIG(status_);
    if (ended_ && WIFEXITED(status_)) result_.exit_code = WEXITSTATUS(status_);
    result_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return std::move(result_);
  }

 private:
  /// Until there is something to do, or for a moment. True if the child's ends are all closed.
  bool wait() {
    std::array<pollfd, 5> waits{};
    nfds_t count = 0;
    for (const Descriptor* end : {&child_.out, &child_.err, &child_.records})
      if (end->get() >= 0) waits[count++] = {end->get(), POLLIN, 0};
    const bool all_closed = count == 0;
    if (child_.in.get() >= 0 && feeder_.has_more()) waits[count++] = {child_.in.get(), POLLOUT, 0};
    if (child_.in.get() >= 0 && request_.control)
      waits[count++] = {request_.control->wake_descriptor(), POLLIN, 0};
    ::poll(waits.data(), count, all_closed ? 1 : poll_interval_ms);
    return all_closed;
  }

  /// Takes in what it wrote; returns the time then.
  Clock::time_point read() {
    bool heard = false;
    const auto take = [&](Descriptor& end, auto& sink) {
      if (end.get() >= 0 && !drain(end, sink, heard)) end.close();
    };
    if (request_.records_on_output)
      take(child_.out, records_);
    else
      take(child_.out, out_);
    take(child_.err, err_);
    take(child_.records, records_);
    const auto now = Clock::now();
    if (heard) last_heard_ = now;
    return now;
  }

  void reap(Clock::time_point now) {
    if (ended_ || ::waitpid(child_.pid, &status_, WNOHANG) != child_.pid) return;
    ended_ = true;
    if (request_.control) request_.control->ended();
    ::kill(-child_.pid, SIGKILL);  // whatever it left behind
    give_up_ = now + drain_time;
  }

  void keep_limits(Clock::time_point now) {
    // What it lost to others on a busy machine is given back.
    if (now >= deadline_)
      deadline_ =
          begun(now) + limit_ +
          std::min<Clock::duration>(run_delay(child_.pid), (longest_extension - 1) * limit_);
    const bool cancel = canceled_ != nullptr && canceled_->load();
    const bool silent =
        request_.silence_limit_s > 0 && now >= last_heard_ + duration(request_.silence_limit_s);
    const bool refused = records_.refused();
    if (!cancel && !refused && !silent && now < deadline_) return;
    killed_ = true;
    result_.was_canceled = cancel;
    result_.was_refused = refused && !cancel;
    result_.fell_silent = silent && !cancel && !refused;
    result_.timed_out = !cancel && !refused && !silent;
    ::kill(-child_.pid, SIGKILL);
    give_up_ = now + kill_grace;
  }

  /// Since when the time limit runs; now, while it does not.
  Clock::time_point begun(Clock::time_point now) const {
    return request_.control ? request_.control->begun().value_or(now) : start_;
  }

  Child child_;
  const ProcessRequest& request_;
  const std::atomic<bool>* canceled_;
  Clock::time_point start_;
  Clock::duration limit_;
  Capture out_, err_;
  LineSplitter records_;
  Feeder feeder_;
  Clock::time_point deadline_ = start_ + limit_, last_heard_ = start_;
  Clock::time_point give_up_ = Clock::time_point::max();
  ProcessResult result_;
  int status_ = 0;
  bool ended_ = false, killed_ = false;
};

}  // namespace

std::vector<std::filesystem::path> programs_called(const std::string& name) {
  std::vector<std::filesystem::path> found;
  const char* folders = std::getenv("PATH");
  std::istringstream path(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(path, folder, ':');) {
    const auto program = std::filesystem::path(folder) / name;
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) found.push_back(program);
  }
  return found;
}

Result<ProcessResult> run_process(const ProcessRequest& request, const OnLine& on_record,
                                  const std::atomic<bool>* canceled) {
  // A child that never reads its input must not end us; the write then fails with EPIPE.
  static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  (void)ignored;

  const auto start = Clock::now();
  Guardian guardian(request.scratch);
  auto child = spawn(request);
  if (!child) return child.error();
  guardian.watch(child->pid);
  if (request.control) request.control->started(child->pid);
  return Watch(std::move(*child), request, on_record, canceled, start).run();
}

std::string describe_signal(int signal) {
  const char* name = ::strsignal(signal);
  return "signal " + std::to_string(signal) + " (" + (name != nullptr ? name : "unknown") + ")";
}

}  // namespace klab
