// ScriptPlayer: one step after another.
#include "ui/replay/script_player.hpp"

#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

using Act = ScriptStep::Act;

constexpr double longest_wait_s = 300;

}  // namespace

Error ScriptPlayer::failed(const ScriptStep& step, const std::string& what) const {
  return make_error(ErrorCode::usage,
                    script_.filename().string() + ":" + std::to_string(step.line) + ": " + what,
                    "Run the script with --show to watch it.");
}

Error ScriptPlayer::failed(const ScriptStep& step, const Error& error) const {
  Error told = failed(step, error.what);
  if (!error.remedy.empty()) told.remedy = error.remedy;
  return told;
}

std::filesystem::path ScriptPlayer::named(const ScriptStep& step) const {
  return script_.parent_path() / step.text;
}

Result<> ScriptPlayer::advance(Window& window) {
  if (keys_) {
    keys_->advance();
    if (!keys_->done()) return Ok{};
    keys_.reset();
    rest_ = frames_to_settle;
  }
  if (rest_ > 0) {
    --rest_;
    return Ok{};
  }
  if (next_ == steps_.size()) return Ok{};
  const auto over = act(steps_[next_], window);
  if (!over) return over.error();
  if (!*over) return Ok{};
  // What changes nothing needs no rest.
  const Act done = steps_[next_++].act;
  const bool looks_only = done == Act::screenshot || done == Act::expect || done == Act::wait ||
                          done == Act::statistics;
  rest_ = looks_only ? 0 : frames_to_settle;
  return Ok{};
}

bool ScriptPlayer::sleeping() const {
  if (keys_ || rest_ > 0 || !waiting_since_s_ || next_ == steps_.size()) return false;
  const auto& until_s = steps_[next_].number;
  return until_s && Window::now_s() - *waiting_since_s_ < *until_s;
}

Result<> ScriptPlayer::finish() {
  Result<> all = Ok{};
  for (auto& picture : writing_)
    if (auto written = picture.get(); !written && all) all = written.error();
  writing_.clear();
  return all;
}

Result<bool> ScriptPlayer::open(const ScriptStep& step) {
  Session& session = stage_.session();
  Course course;
  for (const LabEntry& entry : session.model().labs) course.labs.push_back(entry.lab);
  const auto lab = find_lab(course, step.text);
  if (!lab) return failed(step, lab.error());
  for (std::size_t i = 0; i < course.labs.size(); ++i) {
    if (course.labs[i].id != lab->id) continue;
    if (session.model().presentation)
      session.apply(command::ShowDeck{i});
    else
      session.apply(command::OpenLab{i});
  }
  return true;
}

Result<bool> ScriptPlayer::wait(const ScriptStep& step) {
  const double now_s = Window::now_s();
  if (!waiting_since_s_) waiting_since_s_ = now_s;
  const double waited_s = now_s - *waiting_since_s_;
  const bool over = step.number ? waited_s >= *step.number : !stage_.busy();
  if (!over && !step.number && waited_s > longest_wait_s)
    return failed(step, "something still runs after " +
                            std::to_string(static_cast<int>(longest_wait_s)) + " s.");
  if (over) waiting_since_s_.reset();
  return over;
}

Result<bool> ScriptPlayer::act(const ScriptStep& step, Window& window) {
  Session& session = stage_.session();
  switch (step.act) {
    case Act::workbook:
      break;  // done before the session began
    case Act::open:
      return open(step);
    case Act::page:
      session.apply(command::ShowPage{*step.page});
      break;
    case Act::key:
      keys_.emplace(step.text);
      break;
    case Act::type:
      type_characters(step.text);
      break;
    case Act::wait:
      return wait(step);
    case Act::screenshot:
      // Compressing takes longer than a frame may.
      writing_.push_back(
          std::async(std::launch::async, [this, &step, picture = window.picture()]() -> Result<> {
            const auto written = write_png(picture, named(step));
            return written ? Result<>(Ok{}) : failed(step, written.error());
          }));
      break;
    case Act::size:
      window.resize(step.width, step.height);
      break;
    case Act::theme:
      session.apply(command::SetDark{step.text == "dark"});
      break;
    case Act::zoom:
      session.apply(command::SetZoom{static_cast<float>(*step.number)});
      break;
    case Act::replay:
      if (const auto played = stage_.replay(named(step), step.number); !played)
        return failed(step, played.error());
      break;
    case Act::investigate:
      session.apply(command::Investigate{*step.investigation});
      break;
    case Act::present:
      session.apply(command::Present{step.text == "on"});
      break;
    case Act::expect:
      if (const std::string title = window_title(session.model());
          title.find(step.text) == std::string::npos)
        return failed(step, "the title is \"" + title + "\".");
      break;
    case Act::statistics:
      stage_.print_statistics();
      break;
    case Act::quit:
      session.apply(command::Quit{});
      break;
  }
  return true;
}

}  // namespace klab::ui
