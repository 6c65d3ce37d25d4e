// LabList: filter, category by category.
#include "ui/model/lab_list.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace klab::ui {
namespace {

bool has_words(const LabEntry& entry, const std::string& filter) {
  if (filter.empty()) return true;
  std::string all = entry.lab.title + " " + entry.lab.id + " " + entry.lab.category;
  for (const std::string& concept_name : entry.lab.concepts) all += " " + concept_name;
  return lowered(all).find(lowered(filter)) != std::string::npos;
}

/// All labs, in the order of the list.
std::vector<std::size_t> by_category(const Model& model) {
  std::vector<std::size_t> labs;
  for (const std::string& category : categories(model))
    for (std::size_t i = 0; i < model.labs.size(); ++i)
      if (model.labs[i].lab.category == category) labs.push_back(i);
  return labs;
}

}  // namespace

std::vector<std::string> categories(const Model& model) {
  std::vector<std::string> names;
  for (const LabEntry& entry : model.labs)
    if (std::find(names.begin(), names.end(), entry.lab.category) == names.end())
      names.push_back(entry.lab.category);
  return names;
}

bool is_listed(const Model& model, const LabEntry& entry) {
  if (!has_words(entry, model.list.filter)) return false;
  switch (model.list.show) {
    case LabShow::all:
      return true;
    case LabShow::open:
      return entry.progress.status != LabStatus::passed;
    case LabShow::passed:
      return entry.progress.status == LabStatus::passed;
    case LabShow::checkable:
      break;
  }
  return can_check(what_can_be_checked(entry.lab, model.checking_machine()));
}

std::vector<std::size_t> listed_labs(const Model& model) {
  std::vector<std::size_t> labs = by_category(model);
  std::erase_if(labs, [&](std::size_t i) { return !is_listed(model, model.labs[i]); });
  return labs;
}

std::optional<std::size_t> lab_beside(const Model& model, int step) {
  if (!model.current) return std::nullopt;
  std::vector<std::size_t> labs = by_category(model);
  if (step < 0) std::reverse(labs.begin(), labs.end());
  const auto open = std::find(labs.begin(), labs.end(), *model.current);
  const auto next = std::find_if(open + 1, labs.end(),
                                 [&](std::size_t i) { return is_listed(model, model.labs[i]); });
  return next == labs.end() ? std::nullopt : std::optional(*next);
}

}  // namespace klab::ui
