// Model: names of states for people.
#include "ui/model.hpp"

namespace klab::ui {

const char* to_string(Page page) {
  switch (page) {
    case Page::lesson:
      return "Lesson";
    case Page::code:
      return "Code";
    case Page::result:
      return "Result";
    case Page::occupancy:
      return "Occupancy";
    case Page::journal:
      return "Journal";
  }
  return "";
}

bool Model::can_compare_code() const {
  return page.code.size() == 3 && page.code.front().absent.empty() &&
         page.code.back().absent.empty();
}

const Run* Model::run() const {
  if (!current) return nullptr;
  const auto at = runs.find(labs[*current].lab.id);
  return at == runs.end() ? nullptr : &at->second;
}

std::string window_title(const Model& model) {
  std::string title = "Kernel Lab";
  if (model.lab()) title = model.lab()->id + " - " + title;
  if (model.running()) return title + " - checking " + model.running_lab;
  if (const Run* run = model.run(); run && run->result)
    title = std::string(to_string(run->result->verdict)) + " - " + title;
  return title;
}

std::string variant_title(const std::string& variant) {
  if (variant == "candidate" || variant == "mine") return "Mine";
  if (variant == "flawed") return "Flawed";
  if (variant == "optimized") return "Optimized";
  return variant;
}

}  // namespace klab::ui
