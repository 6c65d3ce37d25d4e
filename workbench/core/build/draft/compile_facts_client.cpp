// One worker thread and one child, with a limit on everything it may do.
#include "core/build/draft/compile_facts_client.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "core/base/files.hpp"
#include "core/process/process.hpp"
#include "core/process/scratch_folder.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// NVRTC takes a tenth of a second for a lab kernel; one that takes this long has met a
/// compile-time loop.
constexpr auto time_limit = std::chrono::seconds(20);
/// The same once a newer text waits.
constexpr auto overtaken_limit = std::chrono::milliseconds(1000);
constexpr int answer_poll_ms = 20;
constexpr std::size_t longest_answer_bytes = 4u << 20;
constexpr std::size_t kept_complaint_bytes = 4096;

/// Appends what is there; false once the other end is closed.
bool read_some(Descriptor& end, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(end.get(), buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

void erase_all(std::string& text, const std::string& piece) {
  for (std::size_t at; (at = text.find(piece)) != std::string::npos;) text.erase(at, piece.size());
}

}  // namespace

CompileFactsClient::CompileFactsClient(Tree tree, std::function<void()> wake)
    : tree_(std::move(tree)), wake_(std::move(wake)), thread_([this] { work(); }) {
  // A child that is gone must not end us; the write then fails with EPIPE.
  static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  (void)ignored;
}

CompileFactsClient::~CompileFactsClient() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    overtaken_ = true;
  }
  changed_.notify_all();
  thread_.join();
  stop_child();
}

std::int64_t CompileFactsClient::ask(FactsQuestion question) {
  const std::lock_guard lock(mutex_);
  waiting_ = Pending{++asked_, std::move(question)};
  overtaken_ = true;
  changed_.notify_all();
  return asked_;
}

std::optional<CompileFacts> CompileFactsClient::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

CompileFacts CompileFactsClient::wait(bool exact) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ && done_->number == asked_ && done_->exact >= exact; });
  return *std::exchange(done_, std::nullopt);
}

void CompileFactsClient::work() {
  while (true) {
    std::optional<Pending> pending;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || waiting_; });
      if (ending_) return;
      pending = std::exchange(waiting_, std::nullopt);
      overtaken_ = false;
    }
    const CompileFacts soon = answer(*pending);
    if (publish(soon)) publish(confirm(*pending, soon));
  }
}

bool CompileFactsClient::publish(CompileFacts facts) {
  {
    const std::lock_guard lock(mutex_);
    if (overtaken_) return false;
    done_ = std::move(facts);
  }
  changed_.notify_all();
  if (wake_) wake_();
  return true;
}

CompileFacts CompileFactsClient::confirm(const Pending& pending, const CompileFacts& soon) {
  const FactsQuestion& question = pending.question;
  CompileFacts facts = soon;
  facts.exact = true;
  const auto toolchain = find_toolchain(tree_);
  if (!toolchain) return facts;
  const auto folder = ScratchFolder::make();
  if (!folder) return facts;
  const fs::path file = folder->path() / fs::path(question.name).filename();
  if (!write_file(file, question.source)) return facts;
  const auto report = build_cubin(*toolchain, question.lab, file, question.compute_capability,
                                  folder->path() / "draft.cubin", &overtaken_);
  facts.kernels.clear();
  facts.messages.clear();
  facts.left_out.clear();
  facts.error.reset();
  if (!report) {
    // The reader knows the file by its own name, not by where the draft was laid.
    facts.error = report.error();
    for (std::string* text : {&facts.error->what, &facts.error->detail})
      erase_all(*text, folder->path().string() + "/");
    facts.messages = parse_compiler_messages(facts.error->detail);
    return facts;
  }
  facts.messages = report->warnings;
  facts.compile_time = std::chrono::duration<double>(report->seconds);
  for (const KernelReport& kernel : report->kernels) {
    DraftKernel fact{.report = kernel};
    // A lone kernel is the same one even where a type's name differs (long, long long).
    const bool lone = soon.kernels.size() == 1 && report->kernels.size() == 1;
    for (const DraftKernel& known : soon.kernels)
      if (lone || known.report.kernel == kernel.kernel) {
        fact.block_threads = known.block_threads;
        fact.dynamic_shared_bytes = known.dynamic_shared_bytes;
      }
    facts.kernels.push_back(std::move(fact));
  }
  add_occupancy(facts);
  return facts;
}

CompileFacts CompileFactsClient::answer(const Pending& pending) {
  const FactsQuestion& question = pending.question;
  CompileFacts failed{.number = pending.number, .compute_capability = question.compute_capability};
  const auto toolchain = find_toolchain(tree_);
  if (!toolchain) {
    failed.error = toolchain.error();
    return failed;
  }
  auto request = facts_request(*toolchain, question.lab, question.name, question.source,
                               question.compute_capability);
  if (!request) {
    failed.error = request.error();
    return failed;
  }
  request->number = pending.number;
  auto facts = talk(*request);
  if (facts) {
    add_occupancy(*facts);
    return std::move(*facts);
  }
  stop_child();
  failed.error = facts.error();
  return failed;
}

Result<CompileFacts> CompileFactsClient::talk(const FactsRequest& request) {
  if (auto started = start(); !started) return started.error();
  const std::string line = encode(request) + "\n";
  std::string_view rest = line;
  const auto begin = Clock::now();
  while (true) {
    const auto limit = overtaken_ ? overtaken_limit : time_limit;
    if (Clock::now() - begin > limit)
      return make_error(ErrorCode::hang, "NVRTC did not finish this file in 20 s.",
                        "Look for templates or unrolled loops that grow without bound.");
    std::array<pollfd, 3> waits{{{child_.out.get(), POLLIN, 0},
                                 {child_.err.get(), POLLIN, 0},
                                 {child_.in.get(), POLLOUT, 0}}};
    ::poll(waits.data(), rest.empty() ? 2 : 3, answer_poll_ms);
    if (!rest.empty()) {
      const ssize_t count = ::write(child_.in.get(), rest.data(), rest.size());
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EAGAIN && errno != EINTR) return ending();
    }
    if (child_.err.get() >= 0 && !read_some(child_.err, complaints_)) child_.err.close();
    if (complaints_.size() > kept_complaint_bytes)
      complaints_.erase(0, complaints_.size() - kept_complaint_bytes);
    if (!read_some(child_.out, unread_)) return ending();
    if (unread_.size() > longest_answer_bytes)
      return make_error(ErrorCode::protocol_mismatch, "klab-compile-facts answers without end.");
    const std::size_t end = unread_.find('\n');
    if (end == std::string::npos) continue;
    auto facts = decode_compile_facts(std::string_view(unread_).substr(0, end));
    unread_.erase(0, end + 1);
    if (facts && facts->number != request.number)
      return make_error(ErrorCode::protocol_mismatch,
                        "klab-compile-facts answered another question.");
    return facts;
  }
}

Result<> CompileFactsClient::start() {
  if (child_.pid > 0) return Ok{};
  const auto program = tree_.build / "bin" / "klab-compile-facts";
  std::error_code ignored;
  if (!fs::exists(program, ignored))
    return make_error(
        ErrorCode::no_toolkit, "Facts while typing need NVRTC, which the CUDA toolkit here lacks.",
        "Install the package cuda-nvrtc-dev-13-0, then run " + Act{Verb::build} + ".");
  auto child = spawn({.command = {program.string()}});
  if (!child) return child.error();
  child_ = std::move(*child);
  unread_.clear();
  complaints_.clear();
  return Ok{};
}

void CompileFactsClient::stop_child() {
  if (child_.pid > 0) {
    ::kill(-child_.pid, SIGKILL);
    ::waitpid(child_.pid, nullptr, 0);
  }
  child_ = {};
}

Error CompileFactsClient::ending() {
  // Its pipe is closed, so it is about to end or has ended; whatever it waits for, it is over.
  int status = 0;
  const auto until = Clock::now() + std::chrono::seconds(1);
  while (::waitpid(child_.pid, &status, WNOHANG) == 0) {
    if (Clock::now() > until) ::kill(-child_.pid, SIGKILL);
    ::poll(nullptr, 0, 1);
  }
  child_.pid = -1;
  if (child_.err.get() >= 0) read_some(child_.err, complaints_);
  if (WIFEXITED(status) && complaints_.find("libnvrtc") != std::string::npos)
    return make_error(ErrorCode::no_toolkit, "NVRTC, which tells the facts while typing, is gone.",
                      "Install the package cuda-nvrtc-dev-13-0, then run " + Act{Verb::build} + ".",
                      complaints_);
  const std::string how = WIFSIGNALED(status) ? describe_signal(WTERMSIG(status))
                                              : "exit code " + std::to_string(WEXITSTATUS(status));
  return make_error(ErrorCode::crash, "NVRTC ended by " + how + " on this text.",
                    "It is started again with the next change.", complaints_);
}

}  // namespace klab
