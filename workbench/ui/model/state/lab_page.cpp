// LabPage: which file is shown, and what is still to be answered.
#include "ui/model/state/lab_page.hpp"

#include <algorithm>
#include <functional>

namespace klab::ui {

std::size_t PredictionState::open_question() const {
  return static_cast<std::size_t>(std::find(answers.begin(), answers.end(), std::nullopt) -
                                  answers.begin());
}

std::size_t PredictionState::answered() const {
  return answers.size() -
         static_cast<std::size_t>(std::count(answers.begin(), answers.end(), std::nullopt));
}

std::uint64_t key_of(const std::string& text) {
  // 0 stands for no text.
  return std::hash<std::string>{}(text) | 1;
}

const CodeFile* shown_file(const LabPage& page) {
  if (!page.kernels) return nullptr;
  const KernelFiles& files = *page.kernels;
  const CodeFile& file = page.shown_code == CodeChoice::flawed      ? files.flawed
                         : page.shown_code == CodeChoice::optimized ? files.optimized
                                                                    : files.mine;
  return file.absent.empty() ? &file : nullptr;
}

const std::string& shown_text(const LabPage& page, const CodeFile& file) {
  return file.variant == VariantName::mine && page.draft ? *page.draft : file.text;
}

}  // namespace klab::ui
