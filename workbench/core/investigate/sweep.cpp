// Running a sweep: each value in phases of its own, so that one that fails costs only itself.
#include "core/investigate/sweep.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/withheld.hpp"
#include "core/investigate/sweep_rules.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

/// Sampling of one point: a whole sweep is to end within half a minute.
constexpr double point_time_cap_s = 0.25;
constexpr std::size_t most_values = 64;
constexpr std::int64_t largest_value = std::int64_t{1} << 40;

/// Words that need no C++ parser: does the file speak of the constant at all?
bool mentions(const std::filesystem::path& source, const std::string& define) {
  const auto text = read_file(source);
  if (!text) return false;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text->find(define); at != text->npos; at = text->find(define, at + 1)) {
    const std::size_t end = at + define.size();
    const bool whole =
        (at == 0 || !is_part((*text)[at - 1])) && (end == text->size() || !is_part((*text)[end]));
    if (whole) return true;
  }
  return false;
}

class Sweeper {
 public:
  Sweeper(const PreparedLab& lab, const SweepPlan& plan, const OnCheckEvent& on_event,
          const std::atomic<bool>& canceled)
      : lab_(lab), plan_(plan), on_event_(on_event), canceled_(canceled) {}

  Result<Sweep> run() {
    if (auto problem = choose()) return *problem;
    for (const auto& [variant, built] : lab_.plugins) found_.variants.push_back(variant);
    const bool simulated = lab_.chosen.simulator;
    for (const CauseTarget& cause : lab_.lab.pass().causes) {
      const Metric* metric = find_metric(cause.metric);
      if (!metric) continue;
      const bool runs = !(simulated ? metric->simulator : metric->cupti).empty();
      if (runs) counted_.push_back(cause.metric);
      if (runs || !metric->compiler.empty()) found_.metrics.push_back(cause.metric);
    }
    if (simulated)
      found_.notes.emplace_back("Counted by the simulator: without a GPU there is no time.");
    for (std::size_t i = 0; i < values_.size() && !canceled_; ++i) {
      say("Value " + std::to_string(i + 1) + " of " + std::to_string(values_.size()));
      found_.points.push_back(measure(values_[i]));
      const SweepPoint& point = found_.points.back();
      if (point.error && !parameter_ && ends_the_sweep(point.error->code)) {
        found_.notes.push_back("Larger sizes were left out: " + point.error->what);
        break;
      }
    }
    const bool nothing = std::all_of(
        found_.points.begin(), found_.points.end(),
        [](const SweepPoint& point) { return point.seconds.empty() && point.counters.empty(); });
    if (nothing)
      for (const SweepPoint& point : found_.points)
        if (point.error) return *point.error;
    if (found_.points.empty())
      return make_error(ErrorCode::canceled, "The sweep was stopped before its first point.");
    return std::move(found_);
  }

 private:
  static bool ends_the_sweep(ErrorCode code) {
    return code == ErrorCode::out_of_memory || code == ErrorCode::hang;
  }

  const Size& base_size() const { return lab_.lab.sizes.large(lab_.chosen.simulator); }

  /// Finds the parameter and its values; the error that says why there are none.
  std::optional<Error> choose() {
    found_.parameter = plan_.parameter;
    values_ = plan_.values;
    if (plan_.parameter == size_parameter) {
      dimension_ = swept_dimension(base_size());
      found_.label = lab_.lab.dimensions[dimension_];
      if (values_.empty()) values_ = size_values(base_size(), lab_.chosen.simulator);
    } else {
      const auto& known = lab_.lab.parameters;
      const auto at = std::find_if(known.begin(), known.end(), [&](const Parameter& one) {
        return one.name == plan_.parameter || one.define == plan_.parameter;
      });
      if (at == known.end()) return unknown_parameter();
      parameter_ = *at;
      found_.parameter = found_.label = at->name;
      if (values_.empty()) values_ = at->values;
      note_unaffected();
    }
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    if (values_.empty() || values_.size() > most_values || values_.front() < 1 ||
        values_.back() > largest_value)
      return make_error(ErrorCode::usage, "A sweep takes 1 to 64 whole numbers from 1 to 2^40.",
                        "Write them as 64,128,256.");
    return std::nullopt;
  }

  Error unknown_parameter() const {
    std::vector<std::string> names{std::string(size_parameter)};
    for (const Parameter& one : lab_.lab.parameters) names.push_back(one.define);
    return make_error(ErrorCode::usage,
                      lab_.lab.id + " has no parameter " + in_quotes(plan_.parameter) + ".",
                      "Choose " + join_or(names) +
                          ". A lab declares more of them as [[parameter]] in its lab.toml.");
  }

  void note_unaffected() {
    for (const Variant& source : lab_.sources)
      if (!mentions(source.path, parameter_->define)) {
        unaffected_.insert(source.name);
        found_.notes.push_back(source.name.shown() + " does not use " + parameter_->define +
                               ": it stays as it is at every value.");
      }
  }

  void say(const std::string& text) const {
    if (on_event_) on_event_({CheckEvent::Kind::phase_started, OwnPhase::sweep, {}, text});
  }

  SweepPoint measure(std::int64_t value) {
    SweepPoint point{.value = value, .size = base_size()};
    if (!parameter_) point.size[dimension_] = value;
    const auto plugins = plugins_at(value, point);
    if (plugins.empty()) return point;
    if (!lab_.chosen.simulator && !time(point, plugins)) return point;
    if (!canceled_ && !counted_.empty()) count(point, plugins);
    if (lab_.chosen.simulator)
      for (auto& [variant, counters] : point.counters) withdraw_unseen_spills(counters);
    return point;
  }

  /// The libraries at this value, built where the value is a constant of the source; what the
  /// compiler reports of them goes to the point.
  std::vector<PluginRequest> plugins_at(std::int64_t value, SweepPoint& point) {
    std::vector<PluginRequest> plugins = lab_.request(Phase::time).plugins;
    for (std::size_t i = 0; i < plugins.size(); ++i) {
      const Variant& source = lab_.sources[i];
      if (!parameter_ || unaffected_.contains(source.name)) {
        note_compiler(point, source.name, lab_.plugins[i].second);
        continue;
      }
      const auto built =
          build_plugin(lab_.tree, lab_.toolchain, lab_.lab, source.name, source.path,
                       lab_.chosen.capability(), &canceled_, Define{parameter_->define, value});
      if (!built) {
        point.error = built.error();
        return {};
      }
      plugins[i] = plugin_request(source.name, *built);
      held_.push_back(built->held);
      note_compiler(point, source.name, *built);
    }
    return plugins;
  }

  void note_compiler(SweepPoint& point, const VariantName& variant, const BuiltPlugin& built) {
    for (const std::string& name : found_.metrics)
      if (const auto value = evaluate_compiler(*find_metric(name), built.kernels))
        point.counters[variant][name] = {value, Source::compiler, {}};
  }

  PhaseOutcome run_at(Phase phase, const SweepPoint& point,
                      const std::vector<PluginRequest>& plugins) {
    Request request = lab_.request(phase);
    request.plugins = plugins;
    request.sizes = {point.size};
    request.time_cap_s = point_time_cap_s;
    request.metrics = counted_;
    request.full_checks = false;
    // Phases of a point are told as the sweep's own progress: their records would only flood it.
    return lab_.run(request, {}, canceled_);
  }

  /// False if nothing more is to be had of this point.
  bool time(SweepPoint& point, const std::vector<PluginRequest>& plugins) {
    const PhaseOutcome outcome = run_at(Phase::time, point, plugins);
    for (const auto& verified : outcome.all<record::Verified>())
      if (!verified.correct && !point.error)
        point.error =
            make_error(ErrorCode::runner_failed,
                       verified.variant.name() + " computed a wrong result at this value: " +
                           std::string(to_string(verified.problem)) + ".",
                       "Its time there means nothing; check the kernel first.");
    if (outcome.error) point.error = outcome.error;
    if (point.error) return false;
    std::map<VariantName, std::vector<double>> samples;
    for (const auto& sample : outcome.all<record::Sample>())
      samples[sample.variant].push_back(sample.seconds);
    const VariantName& reference = found_.variants.front();
    for (const VariantName& variant : found_.variants) {
      if (const auto seconds = median_interval(samples[variant])) point.seconds[variant] = *seconds;
      if (variant == reference) continue;
      if (const auto ratio = ratio_interval(samples[reference], samples[variant]))
        point.ratio[variant] = *ratio;
    }
    return true;
  }

  void count(SweepPoint& point, const std::vector<PluginRequest>& plugins) {
    const PhaseOutcome outcome = run_at(Phase::counters, point, plugins);
    for (const auto& set : outcome.all<record::CounterSet>())
      for (const auto& [name, counter] : set.values) point.counters[set.variant][name] = counter;
    if (outcome.error) point.error = outcome.error;
  }

  const PreparedLab& lab_;
  const SweepPlan& plan_;
  const OnCheckEvent& on_event_;
  const std::atomic<bool>& canceled_;
  std::optional<Parameter> parameter_;
  std::size_t dimension_ = 0;
  std::vector<std::int64_t> values_;
  std::set<VariantName> unaffected_;
  std::vector<LibraryHold> held_;     ///< what was built for a value
  std::vector<std::string> counted_;  ///< what a phase counts; the compiler reports the rest
  Sweep found_;
};

}  // namespace

Result<Sweep> find_sweep(const PreparedLab& lab, const SweepPlan& plan,
                         const OnCheckEvent& on_event, const std::atomic<bool>& canceled) {
  return Sweeper(lab, plan, on_event, canceled).run();
}

}  // namespace klab
