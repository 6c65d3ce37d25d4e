// App: events in, one frame out, and sleep while nothing changes.
#include "ui/app.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <chrono>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/statistics.hpp"
#include "ui/key_script.hpp"
#include "ui/replay_launcher.hpp"
#include "ui/session.hpp"
#include "ui/workbench_view.hpp"

namespace klab::ui {
namespace {

constexpr double frame_s = 1.0 / 60;
constexpr double idle_look_s = 0.25;
/// While the clock runs and the window is drawn by an NVIDIA GPU, which may be the one that is
/// measured: every frame takes the GPU from the kernel for a moment, so fewer frames spoil fewer
/// samples. It lessens the effect; docs/measuring.md says what it does not do.
constexpr double timing_frame_s = 1.0 / 20;
/// ImGui needs a few frames after an input to settle sizes and hover states.
constexpr int frames_after_input = 4;
constexpr int frames_before_screenshot = 8;

int fail(const Error& error, int code) {
  fmt::print(stderr, "{}\n{}\n", error.what, error.remedy);
  return code;
}

/// Asks what checks will run on, away from the window's thread. The thread is left alone at the
/// end: it owns all it touches.
struct DeviceSearch {
  struct Answer {
    std::mutex mutex;
    std::optional<Result<Chosen>> found;
  };
  std::shared_ptr<Answer> answer = std::make_shared<Answer>();

  void begin() {
    under_way = true;
    std::thread([answer = answer] {
      auto found = choose_backend(find_tree(), Backend::automatic);
      const std::lock_guard lock(answer->mutex);
      answer->found = std::move(found);
    }).detach();
  }
  bool under_way = false;

  std::optional<Result<Chosen>> take() {
    const std::lock_guard lock(answer->mutex);
    if (answer->found) under_way = false;
    return std::exchange(answer->found, std::nullopt);
  }
};

std::size_t first_lab(const Model& model, const std::string& wanted) {
  Course course;
  for (const LabEntry& entry : model.labs) course.labs.push_back(entry.lab);
  if (const auto found = find_lab(course, wanted); !wanted.empty() && found)
    for (std::size_t i = 0; i < model.labs.size(); ++i)
      if (model.labs[i].lab.id == found->id) return i;
  for (std::size_t i = 0; i < model.labs.size(); ++i)
    if (model.labs[i].progress.status != LabStatus::passed) return i;
  return 0;
}

std::optional<Page> page_named(std::string name) {
  if (name.empty()) return std::nullopt;
  name.front() = static_cast<char>(std::toupper(name.front()));
  for (const Page page : all_pages)
    if (name == to_string(page)) return page;
  return std::nullopt;
}

const auto program_began = std::chrono::steady_clock::now();

/// Frame times of one run of the program, told at its end.
struct FrameStatistics {
  std::vector<double> frames_s;
  double first_frame_s = 0;  ///< since the process began

  void add(double seconds) {
    if (frames_s.empty()) first_frame_s = process_age_s();
    frames_s.push_back(seconds);
  }
  /// Since the program's code began to run; loading its libraries comes before.
  static double process_age_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - program_began).count();
  }
  void print() const {
    if (frames_s.empty()) return;
    const double cpu_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    fmt::print(
        "first frame after {:.0f} ms; {} frames, median {:.1f} ms, 99 % {:.1f} ms, longest "
        "{:.1f} ms; {:.2f} s of processor time in {:.2f} s\n",
        first_frame_s * 1e3, frames_s.size(), *quantile(frames_s, 0.5) * 1e3,
        *quantile(frames_s, 0.99) * 1e3, *quantile(frames_s, 1) * 1e3, cpu_s, process_age_s());
  }
};

class App {
 public:
  App(const AppOptions& options, std::unique_ptr<Window> window, std::unique_ptr<Launcher> launcher)
      : options_(options),
        window_(std::move(window)),
        launcher_(std::move(launcher)),
        session_(options.root, *launcher_),
        keys_(options.keys) {}

  void prepare(const Recording* recording) {
    const std::string lab = !options_.lab.empty() || !recording ? options_.lab : recording->lab;
    session_.apply(command::OpenLab{first_lab(session_.model(), lab)});
    if (options_.dark) session_.apply(command::SetDark{*options_.dark});
    if (recording) {
      session_.set_replaying(recording->note.empty() ? "a recording" : recording->note);
      session_.replay_now();
    } else {
      device_.begin();
    }
    if (const auto page = page_named(options_.page)) session_.apply(command::ShowPage{*page});
  }

  int run() {
    while (!window_->should_close() && !session_.wants_to_quit()) {
      if (!wait_for_something()) continue;
      draw();
      if (options_.screenshot && settled()) return save();
      if (options_.frames > 0 && static_cast<int>(statistics_.frames_s.size()) >= options_.frames)
        break;
    }
    if (options_.statistics) statistics_.print();
    return 0;
  }

  bool searching() const { return device_.under_way; }

 private:
  /// True if a frame is due.
  bool wait_for_something() {
    const bool busy = pending_frames_ > 0 || session_.animating() || options_.screenshot ||
                      !keys_.done() || options_.frames > 0;
    const double since_s = Window::now_s() - last_frame_s_;
    const double pace_s = frame_interval_s();
    if (window_->wait(busy ? std::max(0.0, pace_s - since_s) : idle_look_s))
      pending_frames_ = frames_after_input;
    if (session_.tick(Window::now_s())) pending_frames_ = frames_after_input;
    if (auto found = device_.take()) {
      session_.set_device(*found);
      pending_frames_ = frames_after_input;
    }
    // Input does not hasten a frame while the clock runs.
    const bool too_early = pace_s > frame_s && Window::now_s() - last_frame_s_ < pace_s;
    return !too_early && (pending_frames_ > 0 || busy);
  }

  double frame_interval_s() const {
    const Model& model = session_.model();
    const auto run = model.runs.find(model.running_lab);
    const PhaseProgress* phase = run != model.runs.end() ? running_phase(run->second) : nullptr;
    const bool timing = phase != nullptr && phase->name == "time";
    return timing && window_->drawn_by_nvidia() ? timing_frame_s : frame_s;
  }

  void draw() {
    const double began_s = Window::now_s();
    last_frame_s_ = began_s;
    Commands commands;
    const Model& model = session_.model();
    keys_.advance();
    window_->set_title(window_title(model));
    window_->frame(model.dark, model.zoom, [&] { draw_workbench(model, commands); });
    for (const Command& command : commands) session_.apply(command);
    if (!commands.empty())
      pending_frames_ = frames_after_input;
    else if (pending_frames_ > 0)
      --pending_frames_;
    statistics_.add(Window::now_s() - began_s);
  }

  bool settled() {
    if (!keys_.done()) return false;
    if (options_.replay_until_s >= 0 && session_.model().now_s < options_.replay_until_s)
      return false;
    if (options_.replay_until_s < 0 && session_.model().running()) return false;
    return ++still_frames_ >= frames_before_screenshot;
  }

  int save() {
    const auto saved = window_->save_png(*options_.screenshot);
    if (options_.statistics) statistics_.print();
    return saved ? 0 : fail(saved.error(), 1);
  }

  const AppOptions& options_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Launcher> launcher_;
  Session session_;
  DeviceSearch device_;
  FrameStatistics statistics_;
  KeyScript keys_;
  int pending_frames_ = frames_after_input;
  int still_frames_ = 0;
  double last_frame_s_ = 0;
};

std::unique_ptr<Launcher> make_launcher(const AppOptions& options, const Recording* recording) {
  if (recording) {
    const bool at_once = options.screenshot && options.replay_until_s < 0;
    return std::make_unique<ReplayLauncher>(*recording, Window::now_s, at_once ? 0.0 : 1.0);
  }
  Work work{check, investigate};
  if (options.record)
    work = recorded(std::move(work), *options.record, "Recorded by the workbench");
  return std::make_unique<WorkLauncher>(std::move(work), Window::wake);
}

}  // namespace

int run_app(const AppOptions& options) {
  std::optional<Recording> recording;
  if (options.replay) {
    auto read = read_recording(*options.replay);
    if (!read) return fail(read.error(), 2);
    recording = std::move(*read);
  }
  auto window = Window::open(options.window);
  if (!window) return fail(window.error(), 4);
  const Recording* played = recording ? &*recording : nullptr;
  int code = 0;
  bool searching = false;
  {
    App app(options, std::move(*window), make_launcher(options, played));
    app.prepare(played);
    code = app.run();
    searching = app.searching();
  }
  // The search's thread may still use what a normal exit would destroy under it.
  if (searching) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace klab::ui
