// CodeFollowing: questions about the shown code, and their answers.
#include "ui/session/pages/code.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/diff/line_diff.hpp"
#include "core/check/machine.hpp"
#include "ui/edit/characters.hpp"
#include "ui/look/code_lines.hpp"

namespace klab::ui {
namespace {

/// A pause in typing, so that nvcc is not started for every letter.
constexpr double typing_pause_s = 0.2;
constexpr std::size_t most_waits = 10'000;

bool code_is_shown(const Model& model) {
  return model.window.shown_page == Page::code || model.window.reading_page == Page::code;
}

ComputeCapability capability_of(const Model& model) {
  return model.machine.device
             ? model.machine.device->compute_capability.value_or(default_compute_capability)
             : default_compute_capability;
}

/// Finds the lines of `text`, whose key is `key`, in the `earlier` one, unless that is done
/// already.
void follow_lines(LineMap& map, const std::string& earlier, const std::string& text,
                  std::uint64_t key) {
  if (!earlier.empty()) key ^= key_of(earlier);
  if (map.key == key) return;
  map = {.key = key};
  if (earlier.empty() || earlier == text) return;
  const std::vector<std::string> now = lines_of(text), then = lines_of(earlier);
  map.lines.assign(now.size(), 0);
  for (const DiffRow& row : line_diff(now, then))
    if (row.same && row.left >= 0) map.lines[static_cast<std::size_t>(row.left)] = row.right + 1;
}

}  // namespace

bool CodeFollowing::follow() {
  forget_revealed();
  bool changed = false;
  if (services_.facts)
    while (auto answer = services_.facts->take()) changed |= take(std::move(*answer));
  if (services_.listings)
    while (auto answer = services_.listings->take_listing()) {
      take(std::move(*answer));
      changed = true;
    }
  LabPage& page = desk_.model.page;
  const CodeFile* file = shown_file(page);
  if (!file || !code_is_shown(desk_.model)) return changed;
  const std::string& text = shown_text(page, *file);
  const std::uint64_t key = key_of(file->variant.name() + text);
  if (file->variant == VariantName::mine) {
    const Run* run = desk_.model.run();
    const bool former = run && are_former(*run, VariantName::mine);
    const std::string checked = !run ? "" : former ? run->former.source : run->source;
    follow_lines(page.state.since_check, checked, text, key);
    const auto sampled = desk_.model.investigations.sampled_sources.find(desk_.model.lab()->id);
    follow_lines(page.state.since_sampling,
                 sampled != desk_.model.investigations.sampled_sources.end() ? sampled->second : "",
                 text, key);
  }
  ask_facts(*file, text, key);
  ask_listing(*file);
  return changed;
}

bool CodeFollowing::awaits() const {
  const CodeState& state = desk_.model.page.state;
  if (!code_is_shown(desk_.model) || !shown_file(desk_.model.page)) return false;
  const FactsState& facts = state.facts;
  const bool facts_open = services_.facts && !facts.current;
  const bool listing_open =
      services_.listings && std::any_of(state.listings.begin(), state.listings.end(),
                                        [](const auto& entry) { return entry.second.waiting; });
  return facts_open || listing_open;
}

void CodeFollowing::ask_facts(const CodeFile& file, const std::string& text, std::uint64_t key) {
  FactsState& facts = desk_.model.page.state.facts;
  if (!services_.facts) return;
  if (facts.text_key != key) {
    // The first text needs no pause.
    facts.changed_s = facts.text_key == 0 ? desk_.model.now_s - typing_pause_s : desk_.model.now_s;
    facts.text_key = key;
    facts.asked = facts.current = false;
  }
  if (facts.asked || desk_.model.now_s < facts.changed_s + typing_pause_s) return;
  facts.asked = true;
  facts.number = services_.facts->ask(
      {*desk_.model.lab(), file.path.filename().string(), text, capability_of(desk_.model)});
}

bool CodeFollowing::take(CompileFacts answer) {
  FactsState& facts = desk_.model.page.state.facts;
  if (!facts.asked || answer.number != facts.number) return false;
  if (facts.waits_s.size() < most_waits)
    facts.waits_s.push_back(desk_.model.now_s - facts.changed_s);
  facts.found = std::move(answer);
  facts.current = true;
  return true;
}

void CodeFollowing::ask_listing(const CodeFile& file) {
  CodeState& state = desk_.model.page.state;
  if (!services_.listings || !state.view.listing) return;
  // Of the saved file: a listing needs the compiler's last word.
  const ListingKey key{file.variant, *state.view.listing, key_of(file.text)};
  if (state.listings.contains(key)) return;
  std::erase_if(state.listings, [&](const auto& entry) {
    return entry.second.waiting ||
           (entry.first.variant == key.variant && entry.first.kind == key.kind);
  });
  state.listings[key].waiting = true;
  services_.listings->ask({key, *desk_.model.lab(), file.path, capability_of(desk_.model)});
}

void CodeFollowing::take(ListingAnswer answer) {
  const auto at = desk_.model.page.state.listings.find(answer.key);
  if (at == desk_.model.page.state.listings.end()) return;
  at->second.waiting = false;
  if (answer.listing)
    at->second.found = std::move(*answer.listing);
  else
    at->second.error = answer.listing.error();
}

bool CodeFollowing::pausing() const {
  const FactsState& facts = desk_.model.page.state.facts;
  return services_.facts && facts.text_key != 0 && !facts.asked;
}

void CodeFollowing::choose(CodeChoice choice) {
  if (choice != CodeChoice::side_by_side || desk_.model.can_compare_code())
    desk_.model.page.shown_code = choice;
}

void CodeFollowing::set_view(CodeView view) {
  const auto line = std::exchange(view.reveal, std::nullopt);
  if (std::exchange(view.take_keyboard, false)) desk_.wish(Wish::code_bar);
  desk_.model.page.state.view = std::move(view);
  if (line) reveal(*line);
}

void CodeFollowing::go_to_line(int line) {
  desk_.model.page.shown_code = CodeChoice::mine;
  desk_.show(Page::code);
  reveal(line);
}

void CodeFollowing::reveal(int line) {
  LabPage& page = desk_.model.page;
  page.goto_line = line;
  const CodeFile* file = shown_file(page);
  if (!file || file->variant != VariantName::mine || page.document.line() == line) return;
  page.document.apply(edit::Place{line_offset(page.document.text(), line)});
}

void CodeFollowing::forget_revealed() {
  std::optional<int>& line = desk_.model.page.goto_line;
  // It is set between two frames and drawn in the second one.
  if (line && ++reveal_age_ > 1) line.reset();
  if (!line) reveal_age_ = 0;
}

}  // namespace klab::ui
