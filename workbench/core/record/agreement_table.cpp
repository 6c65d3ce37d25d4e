// The tables of docs/agreement.md.
#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/record/agreement.hpp"

namespace klab {
namespace {

std::string shown(std::optional<double> value) { return format_count(value); }

std::string difference_text(const AgreementRow& row) {
  const auto difference = row.difference();
  if (!difference) return std::string(missing_text);
  if (*difference == 0) return "0";
  std::string text = (*difference > 0 ? "+" : "") + shown(difference);
  if (*row.gpu != 0) text += " (" + format_percent(100 * *difference / std::abs(*row.gpu)) + ")";
  return text;
}

std::string label_of(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric ? std::string(metric->label) : name;
}

/// "bit-equal" where both sides wrote the same bytes, else what the lab's own check says.
std::string results_text(const AgreementKernel& kernel) {
  if (kernel.simulator_digest == kernel.gpu_digest && !kernel.gpu_digest.empty())
    return "bit-equal";
  return kernel.simulator_correct && kernel.gpu_correct ? "both within the lab's tolerance"
                                                        : "differ";
}

/// A row that neither side counted anything for says nothing.
bool is_empty(const AgreementRow& row) {
  return row.simulator.value_or(0) == 0 && row.gpu.value_or(0) == 0;
}

bool is_promised(const AgreementPlan& plan, const std::string& name) {
  return std::any_of(plan.metrics.begin(), plan.metrics.end(), [&](const auto& metric) {
    return metric.first == name && metric.second != Promise::none;
  });
}

std::string row_text(const AgreementKernel& kernel, const AgreementRow& row) {
  return "| " + kernel.name() + " | " + label_of(row.metric) + " | " +
         std::string(to_string(row.label)) + " | " + shown(row.simulator) + " | " + shown(row.gpu) +
         " | " + difference_text(row) + " |";
}

/// Rows of promised metrics, or of the others.
std::string rows_text(const AgreementPlan& plan, const Agreement& agreement, bool promised) {
  std::string text =
      "| kernel | metric | label | simulator | GPU | difference |\n|---|---|---|--:|--:|--:|\n";
  for (const AgreementKernel& kernel : agreement.kernels)
    for (const AgreementRow& row : kernel.rows)
      if (!is_empty(row) && is_promised(plan, row.metric) == promised)
        text += row_text(kernel, row) + "\n";
  return text;
}

std::string differences_text(const AgreementPlan& plan, const Agreement& agreement) {
  std::string text;
  int promised = 0, kept = 0;
  for (const AgreementKernel& kernel : agreement.kernels)
    for (const AgreementRow& row : kernel.rows) {
      if (!is_promised(plan, row.metric) || is_empty(row)) continue;
      ++promised;
      if (keeps_promise(plan, row)) {
        ++kept;
        continue;
      }
      text += row_text(kernel, row) + " " +
              (row.reason.empty() ? std::string("not explained") : row.reason) + " |\n";
    }
  const std::string head = "Of " + std::to_string(promised) +
                           " promised values that are not 0 on both sides, " +
                           std::to_string(kept) + " are kept.";
  if (text.empty()) return head + "\n";
  return head +
         " The others:\n\n| kernel | metric | label | simulator | GPU | difference | why |\n"
         "|---|---|---|--:|--:|--:|---|\n" +
         text;
}

}  // namespace

std::string agreement_markdown(const AgreementPlan& plan,
                               const std::vector<Agreement>& recordings) {
  std::string text;
  for (const Agreement& agreement : recordings) {
    text += "## " + agreement.device.name + ", driver " + agreement.device.driver + ", CUDA " +
            agreement.device.toolkit + ", " + agreement.date.substr(0, 10) + "\n\n" +
            differences_text(plan, agreement) +
            "\n### Results\n\n| kernel | results |\n|---|---|\n";
    for (const AgreementKernel& kernel : agreement.kernels)
      text += "| " + kernel.name() + " | " + results_text(kernel) + " |\n";
    text += "\n### Promised values\n\n" + rows_text(plan, agreement, true) +
            "\n### Other values, without a promise\n\n" + rows_text(plan, agreement, false) + "\n";
  }
  return text.empty() ? "No GPU has been compared yet.\n" : text;
}

}  // namespace klab
