// Reading figure blocks, and filling them with recorded counts and the learner's own.
#include "core/lesson/figure.hpp"

#include <algorithm>

#include "core/base/find.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

constexpr std::size_t longest_body_bytes = 2000;
constexpr std::size_t most_metrics = 4;
constexpr double warp_lanes = 32;
/// A load of 16 bytes in each of 32 sectors' distance touches no more than this.
constexpr double most_sectors = 64;

constexpr std::string_view request_suffix = "_sectors_per_request";
constexpr std::string_view used_suffix = "_efficiency_pct";
constexpr std::string_view known_keys[] = {"bars", "lanes", "sectors", "title"};
constexpr std::string_view accesses[] = {"global_load", "global_store"};

std::string_view bare(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

/// The first line of `rest`, which then begins after it.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    names.emplace_back(bare(list.substr(at, comma - at)));
    at = comma + 1;
  }
  return names;
}

Error bad_figure(std::string what, std::string remedy) {
  return make_error(ErrorCode::bad_lab, "the figure " + std::move(what), std::move(remedy));
}

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string>& known) {
  const auto near = near_names(name, known, 1);
  return bad_figure("names " + what + " " + in_quotes(name) + ", which does not exist.",
                    near.empty() ? "See docs/adding-a-lab.md for what a figure may show."
                                 : "Did you mean \"" + near.front() + "\"?");
}

std::optional<Error> check_metrics(FigureRequest& request) {
  if (request.metrics.size() > most_metrics)
    return bad_figure("names more than four metrics.", "Show fewer, or make two figures of it.");
  for (std::string& name : request.metrics) {
    if (request.kind == FigureKind::sectors) {
      if (std::find(std::begin(accesses), std::end(accesses), name) == std::end(accesses))
        return unknown_name("the access", name, {std::begin(accesses), std::end(accesses)});
      name += request_suffix;
    }
    const Metric* metric = find_metric(name);
    if (!metric) {
      std::vector<std::string> known;
      for (const Metric& one : metric_catalogue()) known.emplace_back(one.name);
      return unknown_name("the metric", name, known);
    }
    if (request.kind == FigureKind::lanes && metric->unit != "threads")
      return bad_figure("shows lanes of a warp, but " + name + " does not count threads.",
                        "Write `lanes: threads_per_instruction`, or draw it as bars.");
  }
  return std::nullopt;
}

/// What the run of the flawed kernel counted: it has every counter, of the optimized one too.
const Counters* counters_of(const RecordedResults& results, const Lab& lab,
                            const VariantName& variant) {
  const CheckResult* run = find_run(results, lab.id, VariantName::flawed);
  return run ? find_in(run->counters, variant) : nullptr;
}

std::optional<double> value_of(const Counters* counters, const std::string& metric) {
  const CounterValue* found = counters ? find_in(*counters, metric) : nullptr;
  return found ? found->value : std::nullopt;
}

FigureRow recorded_row(FigureKind kind, const std::string& metric, const VariantName& variant,
                       const Counters* counters) {
  FigureRow row{variant, value_of(counters, metric), {}};
  if (kind == FigureKind::sectors) {
    const std::string access = metric.substr(0, metric.size() - request_suffix.size());
    row.used_pct = value_of(counters, access + std::string(used_suffix));
  }
  return row;
}

/// From zero to the largest value or the target; whole warps and percentages keep their own scale.
double full_scale(FigureKind kind, const FigurePart& part) {
  if (kind == FigureKind::lanes) return warp_lanes;
  double full = part.unit == "%" ? 100 : part.target_value.value_or(0);
  for (const FigureRow& row : part.rows) full = std::max(full, row.value.value_or(0));
  if (kind == FigureKind::sectors) return std::clamp(full, warp_lanes, most_sectors);
  return full > 0 ? full : 1;
}

FigurePart make_part(FigureKind kind, const std::string& name, const Lab& lab) {
  const Metric& metric = *find_metric(name);
  FigurePart part{
      .metric = name, .label = std::string(metric.label), .unit = std::string(metric.unit)};
  for (const CauseTarget& cause : lab.pass().causes)
    if (cause.metric == name) {
      part.target = format_bound(cause.target, part.unit);
      part.target_value = cause.target.value;
    }
  part.full = full_scale(kind, part);
  return part;
}

}  // namespace

Result<FigureRequest> parse_figure(std::string_view body) {
  if (body.size() > longest_body_bytes)
    return bad_figure("is too long.", "A figure is a title and a list of metrics.");
  FigureRequest request;
  bool drawn = false;
  while (!body.empty()) {
    const std::string_view line = bare(next_line(body));
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    const std::string key(bare(line.substr(0, std::min(colon, line.size()))));
    if (colon == std::string_view::npos)
      return bad_figure("has the line " + in_quotes(line) + " without a colon.",
                        "Write `key: value`, such as `bars: kernels_executed`.");
    const std::string_view value = bare(line.substr(colon + 1));
    const auto known = std::find(std::begin(known_keys), std::end(known_keys), key);
    if (known == std::end(known_keys))
      return unknown_name("the key", key, {std::begin(known_keys), std::end(known_keys)});
    if (key == "title") {
      request.title = value;
      continue;
    }
    if (drawn) return bad_figure("is drawn twice.", "Give each kind a block of its own.");
    drawn = true;
    request.kind = static_cast<FigureKind>(known - std::begin(known_keys));
    request.metrics = names_in(value);
    if (auto problem = check_metrics(request)) return *problem;
  }
  if (!drawn)
    return bad_figure("does not say what it shows.",
                      "Add a line such as `bars: kernels_executed`.");
  return request;
}

Result<std::vector<FigureRequest>> figures_in(std::string_view name, std::string_view text) {
  std::vector<FigureRequest> figures;
  std::size_t line_number = 0, began = 0;
  bool in_fence = false, in_figure = false;
  std::string body;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    ++line_number;
    if (!line.starts_with("```")) {
      if (in_figure) (body += line) += '\n';
      continue;
    }
    in_fence = !in_fence;
    if (in_fence) {
      in_figure = bare(line.substr(3)) == "figure";
      began = line_number;
      body.clear();
    } else if (in_figure) {
      in_figure = false;
      auto request = parse_figure(body);
      if (!request) {
        Error error = request.error();
        error.what = std::string(name) + ":" + std::to_string(began) + ": " + error.what;
        return error;
      }
      figures.push_back(std::move(*request));
    }
  }
  return figures;
}

LessonFigure make_figure(const FigureRequest& request, const Lab& lab,
                         std::span<const RecordedResults> recordings) {
  LessonFigure figure{.kind = request.kind, .title = request.title};
  const auto recording =
      std::find_if(recordings.begin(), recordings.end(), [&](const RecordedResults& one) {
        return find_run(one, lab.id, VariantName::flawed) != nullptr;
      });
  const bool found = recording != recordings.end();
  figure.recorded =
      found ? "Flawed and optimized: recorded on " + recording->device.name + ", " +
                  recorded_day(*recording, *find_run(*recording, lab.id, VariantName::flawed)) + "."
            : "No recorded run of this lab is at hand, so there is nothing to show of flawed and "
              "optimized.";
  for (const std::string& metric : request.metrics) {
    FigurePart part = make_part(request.kind, metric, lab);
    for (const VariantName& variant : {VariantName::flawed, VariantName::optimized})
      part.rows.push_back(recorded_row(request.kind, metric, variant,
                                       found ? counters_of(*recording, lab, variant) : nullptr));
    part.full = full_scale(request.kind, part);
    figure.parts.push_back(std::move(part));
  }
  return figure;
}

void show_own_counts(LessonFigure& figure, const std::string& lab,
                     std::span<const JournalEntry> journal) {
  const auto attempt = std::find_if(journal.rbegin(), journal.rend(), [&](const auto& entry) {
    return entry.kind == JournalEntry::Kind::attempt && entry.lab == lab &&
           entry.variant == VariantName::mine;
  });
  figure.own.clear();
  for (FigurePart& part : figure.parts) {
    std::erase_if(part.rows, [](const FigureRow& row) { return row.variant == VariantName::mine; });
    if (attempt != journal.rend())
      for (const Gate& gate : attempt->gates)
        if (gate.name == GateName::cause && gate.subject == part.metric) {
          part.rows.insert(part.rows.begin() + 1, {VariantName::mine, gate.measured, {}});
          figure.own = "Mine: your last attempt, on " + attempt->device + ".";
          if (figure.kind == FigureKind::sectors)
            figure.own += " Which part of its sectors was asked for is not kept with an attempt.";
        }
    part.full = full_scale(figure.kind, part);
  }
}

std::string_view legend_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::lanes:
      return "Each square is a thread of a warp; the filled ones take part in an average "
             "instruction.";
    case FigureKind::sectors:
      return "Each box is a sector of 32 bytes that one request of a warp moves on average; its "
             "filled part was asked for.";
    case FigureKind::bars:
      break;
  }
  return {};
}

std::string row_text(const LessonFigure& figure, const FigurePart& part, const FigureRow& row) {
  if (!row.value) return std::string(missing_text);
  std::string text = format_value(row.value, part.unit);
  if (figure.kind == FigureKind::sectors && row.used_pct)
    text += ", " + format_percent(std::min(*row.used_pct, 100.0)) + " used";
  return text;
}

}  // namespace klab
