// Session: what follows the shown code: the compiler's facts, listings, and lines since the check.
#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/line_diff.hpp"
#include "core/check/machine.hpp"
#include "ui/edit/characters.hpp"
#include "ui/look/code_lines.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

/// A pause in typing. With NVRTC's tenth of a second the facts are there within 0.3 s.
constexpr double typing_pause_s = 0.08;
constexpr std::size_t most_waits = 10'000;

bool code_is_shown(const Model& model) {
  return model.shown_page == Page::code || model.reading_page == Page::code;
}

int capability_of(const Model& model) {
  return model.device && model.device->compute_capability > 0 ? model.device->compute_capability
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

std::uint64_t key_of(const std::string& text) {
  // 0 stands for no text.
  return std::hash<std::string>{}(text) | 1;
}

const CodeFile* shown_file(const LabPage& page) {
  if (page.code.empty()) return nullptr;
  const CodeFile& file = page.code[page.shown_code < page.code.size() ? page.shown_code : 0];
  return file.absent.empty() ? &file : nullptr;
}

const std::string& shown_text(const LabPage& page, const CodeFile& file) {
  return file.variant == VariantName::mine && page.draft ? *page.draft : file.text;
}

bool Session::follow_code() {
  bool changed = false;
  if (services_.facts)
    while (auto answer = services_.facts->take()) changed |= take(std::move(*answer));
  if (services_.listings)
    while (auto answer = services_.listings->take_listing()) {
      take(std::move(*answer));
      changed = true;
    }
  LabPage& page = model_.page;
  const CodeFile* file = shown_file(page);
  if (!file || !code_is_shown(model_)) return changed;
  const std::string& text = shown_text(page, *file);
  const std::uint64_t key = key_of(file->variant.name() + text);
  if (file->variant == VariantName::mine) {
    const Run* run = model_.run();
    follow_lines(page.state.since_check, run ? run->source : "", text, key);
    const auto sampled = model_.sampled_sources.find(model_.lab()->id);
    follow_lines(page.state.since_sampling,
                 sampled != model_.sampled_sources.end() ? sampled->second : "", text, key);
  }
  ask_facts(*file, text, key);
  ask_listing(*file);
  return changed;
}

bool Session::awaits_code() const {
  const CodeState& state = model_.page.state;
  if (!code_is_shown(model_) || !shown_file(model_.page)) return false;
  const FactsState& facts = state.facts;
  const bool facts_open = services_.facts && (!facts.current || !facts.found->exact);
  const bool listing_open =
      services_.listings && std::any_of(state.listings.begin(), state.listings.end(),
                                        [](const auto& entry) { return entry.second.waiting; });
  return facts_open || listing_open;
}

void Session::ask_facts(const CodeFile& file, const std::string& text, std::uint64_t key) {
  FactsState& facts = model_.page.state.facts;
  if (!services_.facts) return;
  if (facts.text_key != key) {
    // The first text needs no pause.
    facts.changed_s = facts.text_key == 0 ? model_.now_s - typing_pause_s : model_.now_s;
    facts.text_key = key;
    facts.asked = facts.current = false;
  }
  if (facts.asked || model_.now_s < facts.changed_s + typing_pause_s) return;
  facts.asked = true;
  facts.number = services_.facts->ask(
      {*model_.lab(), file.path.filename().string(), text, capability_of(model_)});
}

bool Session::take(CompileFacts answer) {
  FactsState& facts = model_.page.state.facts;
  if (!facts.asked || answer.number != facts.number) return false;
  if (!facts.current && facts.waits_s.size() < most_waits)
    facts.waits_s.push_back(model_.now_s - facts.changed_s);
  facts.found = std::move(answer);
  facts.current = true;
  return true;
}

void Session::ask_listing(const CodeFile& file) {
  CodeState& state = model_.page.state;
  if (!services_.listings || !state.view.listing) return;
  // Of the saved file: a listing needs the compiler's last word.
  const ListingKey key{file.variant, *state.view.listing, key_of(file.text)};
  if (state.listings.contains(key)) return;
  std::erase_if(state.listings, [&](const auto& entry) {
    return entry.second.waiting ||
           (entry.first.variant == key.variant && entry.first.kind == key.kind);
  });
  state.listings[key].waiting = true;
  services_.listings->ask({key, *model_.lab(), file.path, capability_of(model_)});
}

void Session::take(ListingAnswer answer) {
  const auto at = model_.page.state.listings.find(answer.key);
  if (at == model_.page.state.listings.end()) return;
  at->second.waiting = false;
  if (answer.listing)
    at->second.found = std::move(*answer.listing);
  else
    at->second.error = answer.listing.error();
}

void Session::set_view(CodeView view) {
  const auto line = std::exchange(view.reveal, std::nullopt);
  model_.page.state.view = std::move(view);
  if (line) reveal(*line);
}

void Session::reveal(int line) {
  LabPage& page = model_.page;
  page.goto_line = line;
  const CodeFile* file = shown_file(page);
  if (!file || file->variant != VariantName::mine || page.document.line() == line) return;
  page.document.apply(edit::Place{line_offset(page.document.text(), line)});
}

}  // namespace klab::ui
