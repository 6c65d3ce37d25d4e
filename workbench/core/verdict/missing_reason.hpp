// MissingReason: why a counter has no value.
#pragma once

#include <string>
#include <string_view>

#include "core/base/advice.hpp"
#include "core/base/result.hpp"

namespace klab {

enum class MissingKind {
  unsaid,           ///< nothing is known of it
  not_collected,    ///< nobody asked for it
  unknown_metric,   ///< `about`: the metric, which the catalogue lacks
  no_counter,       ///< no hardware counter: it is traced, or the compiler's
  not_on_chip,      ///< `about`: the chip
  unknown_counter,  ///< `about`: counter and chip, "x on GH100"; CUPTI does not know it there
  not_countable,    ///< `about`: counter and chip, of one that CUPTI knows and cannot collect
  no_finite_value,  ///< the counter gave none
  needs_gpu,        ///< the simulator cannot know it
  nothing_counted,  ///< a ratio of nothing: the kernel did nothing of the kind
  records_dropped,  ///< `about`: how many
  unseen_spills,    ///< see withdraw_unseen_spills()
  unseen_in_graph,  ///< see withdraw_unseen_in_graphs()
  not_in_report,    ///< the compiler's report has no kernel, or not all: see loads_kernels()
  failed,           ///< a phase ended with an error: `about` is what happened, `remedy` helps
  told,             ///< in words that are none of ours: `about`, or with acts in them `remedy`
};

struct MissingReason {
  MissingKind kind = MissingKind::unsaid;
  std::string about = {};
  Advice remedy = {};

  bool empty() const { return kind == MissingKind::unsaid; }
  bool operator==(const MissingReason&) const = default;
};

/// `failed`, by this error.
MissingReason missing_by(const Error& error);

/// For people: empty if nothing is known.
Advice words_of(const MissingReason& reason);
/// The inverse of shell_words(words_of(reason)), which records keep.
MissingReason missing_from(std::string_view words);

}  // namespace klab
