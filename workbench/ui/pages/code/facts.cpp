// Code, facts: one line with what the compiler makes of the shown text.
#include "core/base/text.hpp"
#include "core/base/text/kernel_name.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/code/parts.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// Words one after another, on the next line where the region ends.
class FactsRow {
 public:
  FactsRow() : begin_(ImGui::GetCursorPosX()), right_(ImGui::GetContentRegionMax().x) {}
  void add(ImFont* font, ImU32 color, std::string_view words) {
    const float width = text_width(font, words);
    if (!first_) {
      ImGui::SameLine(0, theme().px(14));
      if (ImGui::GetCursorPosX() + width > right_) {
        ImGui::NewLine();
        ImGui::SetCursorPos(ImVec2(begin_, ImGui::GetCursorPosY() - theme().px(2)));
      }
    }
    first_ = false;
    text_cut(font, color, words, right_ - ImGui::GetCursorPosX());
  }

 private:
  float begin_, right_;
  bool first_ = true;
};

std::int64_t spills(const DraftKernel& facts) {
  return facts.report.spill_store_bytes + facts.report.spill_load_bytes;
}

std::string occupancy_words(const DraftKernel& facts) {
  if (!facts.block_threads) return "block size known at run time";
  const std::string block = " at " + std::to_string(*facts.block_threads) + " threads";
  if (!facts.occupancy) return "no block fits" + block;
  const Occupancy& found = *facts.occupancy;
  if (found.active_blocks == 0) return "no block fits" + block;
  return std::to_string(found.active_blocks) + (found.active_blocks == 1 ? " block" : " blocks") +
         " per multiprocessor (" + format_percent(found.percent) + ", limited by " +
         limiters_text(found) + ")" + block;
}

void add_kernel(FactsRow& flow, const DraftKernel& facts, float opacity) {
  const Theme& t = theme();
  const auto ink = [&](ImU32 color) { return faded(color, opacity); };
  const KernelReport& report = facts.report;
  flow.add(t.font.strong, ink(t.color.text), printable(short_name(report.kernel)));
  flow.add(t.font.body, ink(t.color.text), std::to_string(report.registers) + " registers");
  if (spills(facts) > 0)
    flow.add(t.font.strong, ink(t.color.bad),
             format_capacity(static_cast<double>(spills(facts))) + " spilled");
  else
    flow.add(t.font.body, ink(t.color.soft), "no spills");
  const std::int64_t shared = report.static_shared_bytes + facts.dynamic_shared_bytes.value_or(0);
  if (shared > 0)
    flow.add(t.font.body, ink(t.color.text),
             format_capacity(static_cast<double>(shared)) + " shared");
  flow.add(t.font.body, ink(t.color.soft), occupancy_words(facts));
}

/// Every kernel of the file, for the tooltip.
std::string all_kernels(const std::vector<DraftKernel>& kernels) {
  std::string words;
  for (const DraftKernel& facts : kernels)
    words += (words.empty() ? "" : "\n") + printable(short_name(facts.report.kernel)) + ": " +
             std::to_string(facts.report.registers) + " registers, " +
             format_capacity(static_cast<double>(spills(facts))) + " spilled, " +
             occupancy_words(facts);
  return words;
}

void add_kernels(FactsRow& flow, const std::vector<DraftKernel>& kernels, float opacity) {
  const Theme& t = theme();
  const auto worst =
      std::max_element(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) {
        return std::pair(spills(a), a.report.registers) < std::pair(spills(b), b.report.registers);
      });
  if (worst == kernels.end())
    return flow.add(t.font.body, faded(t.color.soft, opacity), "No kernel is launched here.");
  add_kernel(flow, *worst, opacity);
  if (kernels.size() < 2) return;
  const std::size_t others = kernels.size() - 1;
  flow.add(t.font.small, faded(t.color.accent, opacity),
           "and " + std::to_string(others) + (others == 1 ? " more" : " more"));
  tooltip(all_kernels(kernels));
}

/// What the last build of this variant said; empty if there was none.
std::vector<DraftKernel> of_last_build(const Model& model, const CodeFile& file) {
  std::vector<DraftKernel> kernels;
  const Run* run = model.run();
  if (!run || !run->result) return kernels;
  const auto found = run->result->compiler.find(file.variant);
  if (found == run->result->compiler.end()) return kernels;
  for (const KernelReport& report : found->second) kernels.push_back({.report = report});
  return kernels;
}

}  // namespace

void draw_facts(const Model& model, const CodeFile& file, Commands& commands) {
  const Theme& t = theme();
  const FactsState& facts = model.page.state.facts;
  const float opacity = facts.current ? 1.0f : 0.55f;
  gap(2);
  FactsRow flow;
  if (!facts.found) {
    const std::vector<DraftKernel> built = of_last_build(model, file);
    if (!built.empty()) add_kernels(flow, built, 1);
    flow.add(t.font.small, t.color.faint,
             !built.empty() ? "last build"
             : facts.asked  ? "Compiling ..."
                            : "");
    return;
  }
  const CompileFacts& found = *facts.found;
  if (!found.error) {
    add_kernels(flow, found.kernels, opacity);
    flow.add(t.font.small, faded(t.color.faint, opacity), "nvcc");
    tooltip("From nvcc's device passes over this text, as a build would say.");
    return;
  }
  const Error& error = *found.error;
  if (error.code == ErrorCode::build_failed) {
    flow.add(t.font.strong, faded(t.color.bad, opacity), "Does not compile.");
    const CompilerMessage* first = first_error_in(file.path, found.messages);
    flow.add(t.font.body, faded(t.color.text, opacity),
             first ? at_its_line(*first) : printable(error.what));
    if (first && ImGui::IsItemClicked()) {
      CodeView view = model.page.state.view;
      view.reveal = first->line;
      commands.push_back(command::SetCodeView{std::move(view)});
    }
    return;
  }
  const std::vector<DraftKernel> built = of_last_build(model, file);
  if (!built.empty()) {
    add_kernels(flow, built, 1);
    flow.add(t.font.small, t.color.faint, "last build");
  }
  draw_prose(window_words(error), t.color.unsure);
}

}  // namespace klab::ui
