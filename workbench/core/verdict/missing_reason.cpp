// Reasons and their words, each once.
#include "core/verdict/missing_reason.hpp"

#include <array>

namespace klab {
namespace {

/// What it is about stands between the two parts.
struct Worded {
  MissingKind kind;
  std::string_view before;
  std::string_view after = {};
  bool is_about = false;
};

constexpr std::array worded = {
    Worded{MissingKind::not_collected, "not collected"},
    Worded{MissingKind::unknown_metric, "the metric catalogue has no '", "'", true},
    Worded{MissingKind::no_counter, "not a hardware counter"},
    Worded{MissingKind::not_on_chip, "not available on ", "", true},
    Worded{MissingKind::unknown_counter, "CUPTI does not know ", "", true},
    Worded{MissingKind::not_countable, "CUPTI cannot collect ", "", true},
    Worded{MissingKind::no_finite_value, "not collected: the counter gave no finite value"},
    Worded{MissingKind::needs_gpu, "needs a GPU"},
    Worded{MissingKind::nothing_counted, "nothing of the kind was counted"},
    Worded{MissingKind::records_dropped, "", " activity records did not fit the trace's buffers",
           true},
    Worded{MissingKind::unseen_spills,
           "The compiler spills registers of this kernel to local memory after PTX, where the "
           "simulator cannot see it."},
    Worded{
        MissingKind::not_in_report,
        "The compiler's report holds no kernel of this file, or not all: kernels that are loaded "
        "at run time are in no report."},
    Worded{MissingKind::unseen_in_graph,
           "A GPU's counters of instructions see none of the kernels that a graph starts."}};

}  // namespace

MissingReason missing_by(const Error& error) {
  return {MissingKind::failed, error.what, error.remedy};
}

Advice words_of(const MissingReason& reason) {
  for (const Worded& one : worded)
    if (one.kind == reason.kind)
      return std::string(one.before) + reason.about + std::string(one.after);
  const bool both = !reason.about.empty() && !reason.remedy.empty();
  return reason.about + (both ? " " : "") + reason.remedy;
}

MissingReason missing_from(std::string_view words) {
  if (words.empty()) return {};
  for (const Worded& one : worded) {
    if (!one.is_about && words == one.before) return {one.kind};
    const std::size_t around = one.before.size() + one.after.size();
    if (one.is_about && words.size() > around && words.starts_with(one.before) &&
        words.ends_with(one.after))
      return {one.kind, std::string(words.substr(one.before.size(), words.size() - around))};
  }
  Advice told = advice_from(words);
  const bool has_acts = told != Advice(words);
  return has_acts ? MissingReason{MissingKind::told, {}, std::move(told)}
                  : MissingReason{MissingKind::told, std::string(words)};
}

}  // namespace klab
