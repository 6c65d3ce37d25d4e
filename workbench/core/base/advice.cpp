// Advice: the shell's words for each act, which records keep.
#include "core/base/advice.hpp"

#include <array>
#include <optional>
#include <utility>

namespace klab {
namespace {

enum class Takes { nothing, lab };

struct Typed {
  Verb verb;
  std::string_view words;
  Takes takes = Takes::nothing;
};
constexpr std::array typed_verbs = {Typed{Verb::build, "./klab"},
                                    Typed{Verb::setup, "./klab --setup"},
                                    Typed{Verb::help, "./klab help"},
                                    Typed{Verb::list_labs, "./klab list"},
                                    Typed{Verb::start, "./klab start", Takes::lab},
                                    Typed{Verb::reset, "./klab reset", Takes::lab},
                                    Typed{Verb::predict, "./klab predict", Takes::lab},
                                    Typed{Verb::hint, "./klab hint", Takes::lab},
                                    Typed{Verb::show_device, "./klab device"},
                                    Typed{Verb::measure_device, "./klab device --measure"},
                                    Typed{Verb::doctor, "./klab doctor"},
                                    Typed{Verb::metrics, "./klab metrics"},
                                    Typed{Verb::diagnose, "./klab diagnose", Takes::lab},
                                    Typed{Verb::trace, "./klab trace", Takes::lab},
                                    Typed{Verb::journal, "./klab journal list"},
                                    Typed{Verb::simulate, "--backend sim"},
                                    Typed{Verb::raise_budget, "--budget 1000000000"},
                                    Typed{Verb::record, "./klab course record"},
                                    Typed{Verb::agree, "./klab course agree"}};

/// The act that code in a record stands for.
std::optional<Act> act_from(std::string_view code) {
  for (const Typed& typed : typed_verbs) {
    if (code == typed.words) return Act{typed.verb};
    if (typed.takes != Takes::lab || !code.starts_with(typed.words)) continue;
    const std::string_view rest = code.substr(typed.words.size());
    if (rest.size() > 1 && rest.front() == ' ' && rest.find(' ', 1) == rest.npos)
      return Act{typed.verb, std::string(rest.substr(1))};
  }
  return std::nullopt;
}

}  // namespace

Advice::Advice(std::string words) {
  if (!words.empty()) parts_.emplace_back(std::move(words));
}

Advice& Advice::operator+=(const Advice& more) {
  for (const Part& part : std::vector<Part>(more.parts_)) {
    const auto* words = std::get_if<std::string>(&part);
    auto* last = parts_.empty() ? nullptr : std::get_if<std::string>(&parts_.back());
    if (words && last)
      *last += *words;
    else
      parts_.push_back(part);
  }
  return *this;
}

Advice operator+(Advice one, const Advice& other) {
  one += other;
  return one;
}

std::string shell_words(const Act& act) {
  for (const Typed& typed : typed_verbs)
    if (typed.verb == act.verb)
      return std::string(typed.words) + (act.lab.empty() ? "" : " " + act.lab);
  return {};
}

std::string shell_words(const Advice& advice) {
  std::string words;
  for (const Advice::Part& part : advice.parts())
    if (const auto* act = std::get_if<Act>(&part))
      words += "`" + shell_words(*act) + "`";
    else
      words += std::get<std::string>(part);
  return words;
}

Advice advice_from(std::string_view words) {
  Advice advice;
  while (!words.empty()) {
    const auto open = words.find('`');
    const auto close = open == words.npos ? open : words.find('`', open + 1);
    if (close == words.npos) break;
    if (auto act = act_from(words.substr(open + 1, close - open - 1)))
      advice += words.substr(0, open) + Advice(std::move(*act));
    else
      advice += words.substr(0, close + 1);
    words.remove_prefix(close + 1);
  }
  return advice += words;
}

}  // namespace klab
