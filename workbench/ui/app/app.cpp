// App: events in, one frame out, and sleep while nothing changes.
#include "ui/app/app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/check/check.hpp"
#include "ui/app/settings.hpp"
#include "ui/app/workbench_view.hpp"
#include "ui/background/device_page.hpp"
#include "ui/background/device_search.hpp"
#include "ui/pages/panels.hpp"
#include "ui/replay/fresh_workbook.hpp"
#include "ui/replay/recorder.hpp"
#include "ui/replay/replay_launcher.hpp"
#include "ui/replay/script_player.hpp"
#include "ui/session/session.hpp"
#include "ui/window/ending.hpp"
#include "ui/window/frame_statistics.hpp"

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
/// Enough for a second of typing, two or three frames a key.
constexpr int most_last_frames = 200;

int fail(const Error& error, int code) {
  fmt::print(stderr, "error: {}\n  → {}\n", with_separators(printable(error.what)),
             with_separators(printable(shell_words(error.remedy))));
  return code;
}

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

/// What the window does, read before it opens.
struct Plan {
  std::optional<Recording> recording;
  std::vector<ScriptStep> steps;
  Work work{check, investigate, measure_device_ceilings};
};

std::unique_ptr<Launcher> make_launcher(const Plan& plan) {
  if (!plan.recording) return std::make_unique<WorkLauncher>(plan.work, Window::wake);
  return std::make_unique<ReplayLauncher>(*plan.recording, Window::now_s, 1.0);
}

class App {
 public:
  App(const AppOptions& options, std::unique_ptr<Window> window, const Settings& settings)
      : options_(options),
        window_(std::move(window)),
        settings_(settings),
        facts_(options.tree, Window::wake),
        listings_(options.tree, Window::wake),
        device_page_(options.tree) {}

  void prepare(const Plan& plan) {
    launcher_ = make_launcher(plan);
    begin_session(plan.recording ? &*plan.recording : nullptr);
    if (!plan.recording) device_.begin(options_.tree);
    if (const auto page = page_named(options_.page)) session_->apply(command::ShowPage{*page});
    if (options_.present) session_->apply(command::Present{true});
    if (options_.script) follow(plan.steps);
  }

  int run() {
    const Ending ending([this] {
      take_in_what_was_typed();
      session_.reset();  // which keeps it
    });
    while (!session_->wants_to_quit()) {
      if (ending.signal() != 0) {
        window_->wait(0);
        take_in_what_was_typed();
        return 128 + ending.signal();
      }
      if (window_->should_close()) {
        take_in_what_was_typed();
        session_->apply(command::Quit{});
        if (session_->wants_to_quit()) break;
        window_->keep_open();
      }
      if (!wait_for_something()) continue;
      if (player_)
        if (const auto played = player_->advance(*window_); !played) return fail(played.error(), 1);
      if (player_ && player_->done()) break;
      draw();
    }
    if (!session_->farewell().empty() && !options_.passing)
      fmt::print("{}\n", session_->farewell());
    if (options_.statistics) print_statistics();
    if (player_)
      if (const auto written = player_->finish(); !written) return fail(written.error(), 1);
    return 0;
  }

  bool searching() const { return device_.under_way(); }

  /// What is worth remembering of this run.
  Settings settings() const {
    const Model& model = session_->model();
    Settings settings{.dark = model.window.dark, .zoom = model.window.zoom};
    settings.split = model.window.split;
    if (model.lab()) settings.lab = model.lab()->id;
    const auto [width, height] = window_->logical_size();
    // A scale that was asked for enlarges what is drawn, not the window.
    const float asked = options_.window.scale > 0 ? options_.window.scale : 1;
    settings.width = static_cast<int>(std::lround(width * asked));
    settings.height = static_cast<int>(std::lround(height * asked));
    if (model.window.full_screen)
      settings.width = settings_.width, settings.height = settings_.height;
    return settings;
  }

 private:
  /// The text of keys that arrived and that no frame has seen yet. What else they ask for, such as
  /// a check, is not begun any more.
  void take_in_what_was_typed() {
    if (!session_) return;
    for (int i = 0; i < most_last_frames && Window::input_waits(); ++i) {
      Commands commands;
      Window::frame_unseen([&] { draw_workbench(session_->model(), commands); });
      for (const Command& command : commands)
        if (std::holds_alternative<command::EditCode>(command) ||
            std::holds_alternative<command::EditNote>(command))
          session_->apply(command);
    }
  }

  void follow(const std::vector<ScriptStep>& steps) {
    player_.emplace(
        steps, std::filesystem::absolute(*options_.script),
        ScriptStage{[this]() -> Session& { return *session_; },
                    [this] {
                      return session_->model().running() || searching() || session_->awaits_code();
                    },
                    [this](const auto& path, auto until_s) { return replay(path, until_s); },
                    [this] {
                      print_statistics();
                      statistics_.begin_anew();
                    }});
  }

  void begin_session(const Recording* recording) {
    session_ = std::make_unique<Session>(options_.tree, *launcher_);
    session_->use({&facts_, &listings_});
    std::string lab = options_.lab;
    if (lab.empty()) lab = recording ? recording->lab : settings_.lab;
    session_->apply(command::OpenLab{first_lab(session_->model(), lab)});
    if (const auto dark = options_.dark ? options_.dark : settings_.dark)
      session_->apply(command::SetDark{*dark});
    if (settings_.zoom) session_->apply(command::SetZoom{*settings_.zoom});
    if (settings_.split) session_->apply(command::SetSplit{settings_.split});
    if (!recording) return;
    session_->set_replaying(recording->note.empty() ? "a recording" : recording->note);
    session_->tick(Window::now_s());  // a replay may begin long after the program
    session_->replay_now();
    for (const RecordedEvent& event : recording->events)
      if (const auto* found = std::get_if<Investigation>(&event.event))
        session_->show_recorded(*found);
    if (!shown_file(session_->model().page)) session_->apply(command::ShowCode{CodeChoice::flawed});
  }

  /// Starts over with a recording, of which everything up to `until_s` has arrived.
  Result<> replay(const std::filesystem::path& path, std::optional<double> until_s) {
    const auto recording = read_recording(path);
    if (!recording) return recording.error();
    const bool dark = session_->model().window.dark;
    const float zoom = session_->model().window.zoom;
    session_.reset();  // before the launcher, which it uses
    auto began = std::make_shared<bool>(false);
    const auto clock = [began, until_s] { return std::exchange(*began, true) ? *until_s : 0.0; };
    if (until_s)
      launcher_ = std::make_unique<ReplayLauncher>(*recording, clock, 1.0);
    else
      launcher_ = std::make_unique<ReplayLauncher>(*recording, Window::now_s, 0.0);
    begin_session(&*recording);
    session_->apply(command::SetDark{dark});
    session_->apply(command::SetZoom{zoom});
    return Ok{};
  }

  /// True if a frame is due.
  bool wait_for_something() {
    const bool busy =
        pending_frames_ > 0 || session_->animating() || (player_ && !player_->sleeping());
    moving_ = moving_ && busy;
    const double since_s = Window::now_s() - last_frame_s_;
    // Pictures that nobody watches being drawn need no pace; what runs meanwhile needs the
    // processor.
    const bool seen =
        options_.window.visible || session_->model().running() || session_->awaits_code();
    const double pace_s = seen ? frame_interval_s() : 0;
    if (window_->wait(busy ? std::max(0.0, pace_s - since_s) : idle_look_s))
      pending_frames_ = frames_after_input;
    if (session_->tick(Window::now_s())) pending_frames_ = frames_after_input;
    if (auto found = device_.take()) {
      session_->set_device(*found);
      pending_frames_ = frames_after_input;
    }
    if (auto report =
            device_page_.tick(session_->model(), device_page_visible(), Window::now_s())) {
      session_->take(std::move(*report));
      pending_frames_ = std::max(pending_frames_, 1);
    }
    // Input does not hasten a frame while the clock runs.
    const bool too_early = pace_s > frame_s && Window::now_s() - last_frame_s_ < pace_s;
    return !too_early && (pending_frames_ > 0 || busy);
  }

  double frame_interval_s() const {
    const Model& model = session_->model();
    const auto run = model.checks.runs.find(model.checks.running_lab);
    const PhaseProgress* phase =
        run != model.checks.runs.end() ? running_phase(run->second) : nullptr;
    const bool timing = phase != nullptr && phase->phase == CheckPhase(Phase::time);
    return timing && window_->drawn_by_nvidia() ? timing_frame_s : frame_s;
  }

  float zoom() const {
    const Model& model = session_->model();
    if (!model.presentation) return model.window.zoom;
    const auto [width, height] = window_->logical_size();
    return present_zoom(width, height);
  }

  void draw() {
    const FrameBegin began = FrameStatistics::begin();
    const bool moved = std::exchange(moving_, true);
    last_frame_s_ = Window::now_s();
    Commands commands;
    const Model& model = session_->model();
    window_->set_title(window_title(model));
    window_->set_full_screen(model.window.full_screen);
    window_->frame(model.window.dark, zoom(), [&] { draw_workbench(model, commands); });
    for (const Command& command : commands) session_->apply(command);
    if (!commands.empty())
      pending_frames_ = frames_after_input;
    else if (pending_frames_ > 0)
      --pending_frames_;
    statistics_.end(began, moved);
  }

  void print_statistics() const {
    nlohmann::json figures = statistics_.to_json();
    figures["facts"] = distribution(session_->model().page.state.facts.waits_s);
    fmt::print("{}\n", json_text(figures));
    std::fflush(stdout);
  }

  const AppOptions& options_;
  std::unique_ptr<Window> window_;
  Settings settings_;  ///< as they were at the start
  std::unique_ptr<Launcher> launcher_;
  FactsWorker facts_;
  ListingWorker listings_;
  std::unique_ptr<Session> session_;  // after the launcher, which it uses
  DeviceSearch device_;
  DevicePage device_page_;
  FrameStatistics statistics_;
  std::optional<ScriptPlayer> player_;
  int pending_frames_ = frames_after_input;
  double last_frame_s_ = 0;
  bool moving_ = false;  ///< every look since the last frame found something to draw
};

/// Everything from the open window to its end.
int run_window(const AppOptions& options, const Plan& plan) {
  // Pictures and demonstrations look the same for everybody.
  const bool personal = !options.script && !plan.recording;
  const Settings settings = personal ? read_settings(options.tree.root) : Settings{};
  WindowOptions how = options.window;
  if (!options.sized && settings.width && settings.height) {
    how.width = *settings.width;
    how.height = *settings.height;
  }
  auto window = Window::open(how);
  if (!window) return fail(window.error(), 4);
  int code = 0;
  bool searching = false;
  {
    App app(options, std::move(*window), settings);
    app.prepare(plan);
    code = app.run();
    searching = app.searching();
    // Nothing of the learner's is lost where this cannot be written.
    if (personal && app.settings() != settings)
      (void)write_settings(options.tree.root, app.settings());
  }
  // The search's thread may still use what a normal exit would destroy under it.
  if (searching) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

Result<Plan> make_plan(const AppOptions& options) {
  Plan plan;
  if (!options.lab.empty())
    if (const auto lab = find_lab(load_course(options.tree.root), options.lab); !lab)
      return lab.error();
  if (options.replay) {
    auto read = read_recording(*options.replay);
    if (!read) return read.error();
    plan.recording = std::move(*read);
  }
  if (options.script) {
    auto read = read_script(*options.script);
    if (!read) return read.error();
    plan.steps = std::move(*read);
  }
  if (options.record) {
    auto both = recorded(std::move(plan.work), *options.record, "Recorded by the workbench");
    if (!both) return both.error();
    plan.work = std::move(*both);
  }
  return plan;
}

}  // namespace

int run_app(const AppOptions& options) {
  const auto plan = make_plan(options);
  if (!plan) return fail(plan.error(), 2);
  if (plan->steps.empty() || plan->steps.front().act != ScriptStep::Act::workbook)
    return run_window(options, *plan);
  const FreshWorkbook fresh(options.tree.root);
  AppOptions there = options;
  there.tree.root = fresh.root();
  there.passing = true;
  return run_window(there, *plan);
}

}  // namespace klab::ui
