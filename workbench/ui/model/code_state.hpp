// CodeState: what the code page shows beside the source: the compiler's facts, heat, PTX or machine
// code, and what is looked for. No ImGui.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/build/code_listing.hpp"
#include "core/build/draft/compile_facts.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab::ui {

/// What the user chose to see; command::SetCodeView replaces it.
struct CodeView {
  std::optional<ListingKind> listing;  ///< beside the source; absent: none
  std::string heat_unit;               ///< empty: the first there is
  int line = 0;                        ///< of the source, chosen by click or caret; 0: none
  bool all_beside = false;             ///< three texts side by side also where there is little room
  bool finding = false;                ///< the find bar is open
  bool replacing = false;              ///< with its row to replace
  std::string needle, replacement;
  int match = 0;  ///< which match is current, from 0; any number: it goes around
  bool going_to_line = false;
  std::string line_wanted;     ///< what is typed as the line to go to
  bool take_keyboard = false;  ///< the open bar takes the keyboard once
  std::optional<int> reveal;   ///< scroll the source there once, and put the caret there
};

/// The compiler's facts of the shown text.
struct FactsState {
  std::uint64_t text_key = 0;  ///< of the text they were asked for
  double changed_s = 0;        ///< when that text was first seen, on the session's clock
  bool asked = false;
  std::int64_t number = 0;            ///< of the question
  std::optional<CompileFacts> found;  ///< may still be of the text before
  bool current = false;               ///< `found` is of the shown text
  /// From the change of the text to the answer, each time; for the program's statistics.
  std::vector<double> waits_s;
};

/// A listing that was asked for.
struct ListingState {
  bool waiting = false;
  std::optional<CodeListing> found;
  std::optional<Error> error;
};

/// By variant and kind; a text_key in the key, so that a saved file is listed anew.
struct ListingKey {
  VariantName variant;
  ListingKind kind = ListingKind::ptx;
  std::uint64_t text_key = 0;
  auto operator<=>(const ListingKey&) const = default;
};

/// Where the lines of the shown text were in an earlier one.
struct LineMap {
  /// From 1; 0: the line is new. Empty if there was no earlier text, or nothing changed since.
  std::vector<int> lines;
  std::uint64_t key = 0;  ///< of both texts
};

struct CodeState {
  CodeView view;
  FactsState facts;
  std::map<ListingKey, ListingState> listings;
  LineMap since_check;     ///< in the text that was checked last
  LineMap since_sampling;  ///< in the text that was sampled last
};

/// Names a text; equal texts have equal keys.
std::uint64_t key_of(const std::string& text);

}  // namespace klab::ui
