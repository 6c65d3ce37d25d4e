// Hostile variations of valid examples, by a seeded generator, so that each case can be repeated.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace klab::test {

/// How many cases a property is tried on: KLAB_FUZZ_CASES in the environment, or `usual`.
inline std::uint64_t fuzz_cases(std::uint64_t usual) {
  const char* text = std::getenv("KLAB_FUZZ_CASES");
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// The seed of the first case: KLAB_FUZZ_SEED in the environment, or 1.
inline std::uint64_t fuzz_seed() {
  const char* text = std::getenv("KLAB_FUZZ_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

/// Changes a text in one to four places.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(const std::vector<std::string>& examples) {
    std::string text = pick(examples);
    for (std::size_t times = 1 + below(4); times > 0; --times)
      text = once(std::move(text), examples);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  std::string once(std::string text, const std::vector<std::string>& examples) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (below(9)) {
      case 0:  // a byte
        if (at < text.size()) text[at] = static_cast<char>(random_());
        return text;
      case 1:  // a part less
        return text.erase(at, length);
      case 2:  // a part twice
        return text.insert(at, text.substr(at, length));
      case 3:  // cut
        return text.substr(0, at);
      case 4:  // the rest of another
      {
        const std::string& other = pick(examples);
        return text.substr(0, at) + other.substr(below(other.size() + 1));
      }
      case 5:  // very often
      {
        const std::string part = pick(tokens_);
        std::string many;
        for (int i = 0; i < 3000; ++i) many += part;
        return text.insert(at, many);
      }
      case 6: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) return text;
        const std::size_t end = text.find_first_not_of("0123456789.eE+-", digit);
        return text.replace(digit, end - digit, pick(numbers_));
      }
      case 7: {  // another value in a JSON line of the text
        const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        const std::size_t end = std::min(text.find('\n', start), text.size());
        auto json = nlohmann::json::parse(text.substr(start, end - start), nullptr, false);
        if (!json.is_structured()) return text;
        change(json);
        const std::string line =
            json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return text.replace(start, end - start, line);
      }
      default:
        return text.insert(at, pick(tokens_));
    }
  }

  /// Puts another value somewhere, or takes one away.
  void change(nlohmann::json& json) {
    nlohmann::json* place = &json;
    while (place->is_structured() && !place->empty()) {
      auto child = place->begin();
      std::advance(child, static_cast<std::ptrdiff_t>(below(place->size())));
      if (below(8) == 0) {
        place->erase(child);
        return;
      }
      place = &*child;
      if (below(3) == 0) break;
    }
    *place = pick(values_);
  }

  std::mt19937_64 random_;
  const std::vector<std::string> numbers_ = {"0",
                                             "-0",
                                             "-1",
                                             "1e308",
                                             "1e400",
                                             "-1e-400",
                                             "nan",
                                             "inf",
                                             "4294967296",
                                             "9223372036854775807",
                                             "9223372036854775808",
                                             "18446744073709551615",
                                             "99999999999999999999999",
                                             "0.0000001",
                                             "1.5"};
  const std::vector<std::string> tokens_ = {"[",
                                            "]",
                                            "{",
                                            "}",
                                            "\"",
                                            "'",
                                            ",",
                                            ":",
                                            "=",
                                            ".",
                                            "#",
                                            "\\",
                                            "\n",
                                            "\r\n",
                                            "\t",
                                            "null",
                                            "true",
                                            "\x1b[2J",
                                            "\xc2\x9b",
                                            "\xff",
                                            "\xed\xa0\x80",
                                            std::string(1, '\0'),
                                            "\\u0000",
                                            "\\ud800",
                                            "\"\"\"",
                                            "[[",
                                            "]]",
                                            "{}",
                                            "[]",
                                            "\xef\xbb\xbf",
                                            "%s",
                                            "{{title}}",
                                            "../"};
  const std::vector<nlohmann::json> values_ = {
      nullptr,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      INT64_MIN,
      INT64_MAX,
      UINT64_MAX,
      "",
      "text",
      std::string(70'000, 'x'),
      nlohmann::json::array(),
      nlohmann::json::object(),
      nlohmann::json::array({nullptr, 1, "x", nlohmann::json::array()}),
      nlohmann::json::array({nlohmann::json::object()}),
      nlohmann::json::object({{"a", 1}, {"", nullptr}})};
};

/// Calls `holds(text)` with as many mutations; a failure names the seed that repeats it alone, with
/// KLAB_FUZZ_CASES=1.
template <class Property>
void for_mutations(const std::vector<std::string>& examples, std::uint64_t usual, Property holds) {
  const std::uint64_t first = fuzz_seed(), cases = fuzz_cases(usual);
  REQUIRE(cases > 0);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const std::string text = Mutator(seed).mutated(examples);
    INFO("KLAB_FUZZ_SEED=" << seed);
    holds(text);
  }
}

}  // namespace klab::test
