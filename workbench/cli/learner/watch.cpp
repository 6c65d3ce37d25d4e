// watch: checks the learner's file now and after every save, until Ctrl-C.
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

using namespace std::chrono_literals;

/// Short against the seconds of a check, and cheap: one stat() of one file. Asking works on network
/// file systems too, where the kernel's notifications do not.
constexpr auto poll_interval = 50ms;

/// Tells when the content of a file became another one.
class FileWatch {
 public:
  explicit FileWatch(std::filesystem::path path) : path_(std::move(path)) {}

  /// True if there is a content that has not been reported yet. While an editor replaces the file
  /// it may be missing or empty for a moment: that is not a save.
  bool changed() {
    std::error_code failure;
    const auto time = std::filesystem::last_write_time(path_, failure);
    if (!failure && time == time_) return false;
    const auto text = read_file(path_);
    if (!text || text->empty()) {
      problem_ = text ? make_error(ErrorCode::io, path_.string() + " is empty.",
                                   "Save the kernel there again.")
                      : text.error();
      ++looks_in_vain_;
      return false;
    }
    looks_in_vain_ = 0;
    time_ = time;
    std::string digest = sha256(*text);
    if (digest == digest_) return false;
    digest_ = std::move(digest);
    return true;
  }

  /// Why there has been nothing to check for longer than an editor takes to replace a file; said
  /// once.
  std::optional<Error> trouble() {
    if (looks_in_vain_ != looks_before_trouble) return std::nullopt;
    ++looks_in_vain_;
    return problem_;
  }

 private:
  static constexpr int looks_before_trouble = 2s / poll_interval;

  std::filesystem::path path_;
  Error problem_;
  int looks_in_vain_ = 0;
  std::filesystem::file_time_type time_{};
  std::string digest_;
};

std::string time_of_day() {
  const std::string now = now_utc();
  return now.substr(11, 8) + " UTC";
}

}  // namespace

int watch(const Context& context, const CheckOptions& options) {
  auto request = check_request(context, options);
  if (!request) return fail(context, request.error());
  const std::atomic<bool>& stop = canceled_by_user();
  FileWatch file(request->source);
  print("  Watching " + shown_path(context, request->source) + "; Ctrl-C ends.\n");
  bool due = file.changed();
  while (!stop && !output_failure()) {
    if (!due) {
      std::this_thread::sleep_for(poll_interval);
      due = file.changed();
      if (const auto problem = file.trouble()) warn(context, *problem);
      continue;
    }
    due = false;
    print("\n" + context.out.paint(Tone::faint, "  " + time_of_day()) + "\n");
    // The check runs beside this loop, so that a save in between ends it and begins anew.
    std::atomic<bool> outdated = false;
    auto running =
        std::async(std::launch::async, [&] { return run_check(context, *request, outdated); });
    while (running.wait_for(poll_interval) != std::future_status::ready) {
      if (!due) due = file.changed();
      if (due || stop) outdated = true;
    }
    const CheckResult result = running.get();
    if (stop) break;
    print(outdated ? context.out.paint(Tone::faint, "  saved again; checking the new version\n")
                   : view_compact(context.out, result));
  }
  print("\n");
  return exit_ok;
}

}  // namespace klab::cli
