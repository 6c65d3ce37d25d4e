// DiagnosisWords: classes as headings, lacks as sentences.
#include "ui/model/diagnosis_words.hpp"

#include <map>
#include <vector>

#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

std::string without_stop(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

}  // namespace

std::string diagnosis_title(const Diagnosis& diagnosis) {
  if (!diagnosis.bottleneck) return "What limits it cannot be told yet";
  switch (*diagnosis.bottleneck) {
    case Bottleneck::overhead:
      return "Limited by starting and waiting";
    case Bottleneck::compute:
      return "Limited by arithmetic";
    case Bottleneck::memory:
      return "Limited by " + std::string(diagnosis.level ? to_string(*diagnosis.level) : "memory");
    case Bottleneck::latency:
      return "Limited by waiting (latency)";
    case Bottleneck::balanced:
      return "Limited by arithmetic and memory alike";
  }
  return "";
}

std::string lacks_words(const Diagnosis& diagnosis) {
  std::vector<std::string> order;
  std::map<std::string, std::string> by_reason;
  for (const Lack& lack : diagnosis.lacks) {
    const std::string why = window_words(lack.why);
    std::string& names = by_reason[why];
    if (names.empty()) order.push_back(why);
    names += (names.empty() ? "" : ", ") + lack.what;
  }
  std::string words;
  for (const std::string& why : order)
    words += (words.empty() ? "" : "; ") + by_reason[why] + " (" + without_stop(why) + ")";
  if (words.empty()) return words;
  return (diagnosis.bottleneck ? "Judged without: " : "Missing: ") + words + ".";
}

}  // namespace klab::ui
