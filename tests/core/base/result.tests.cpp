// Every error has a name and a remedy, and gates combine by the worst of them.
#include "core/base/result.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/base/sha256.hpp"
#include "core/verdict/verdict.hpp"

using namespace klab;

TEST_CASE("every error code has a name of its own and a remedy", "[core][result]") {
  std::set<std::string_view> names;
  for (const ErrorCode code : all_error_codes()) {
    CHECK_FALSE(default_remedy(code).empty());
    CHECK(names.insert(to_string(code)).second);
    CHECK(error_code_from(to_string(code)) == code);
    CHECK(make_error(code, "x").remedy == default_remedy(code));
  }
  // The last code of the enum is in the list, so no code was forgotten in between.
  CHECK(static_cast<std::size_t>(ErrorCode::canceled) + 1 == all_error_codes().size());
}

TEST_CASE("a verdict is the worst of its gates, and nothing is proven by no gates",
          "[core][verdict]") {
  const auto gates = [](std::initializer_list<Outcome> outcomes) {
    std::vector<Gate> list;
    for (const Outcome outcome : outcomes)
      list.push_back({.name = GateName::cause, .outcome = outcome});
    return list;
  };
  CHECK(combine(gates({Outcome::pass, Outcome::pass})) == Outcome::pass);
  CHECK(combine(gates({Outcome::pass, Outcome::not_checkable})) == Outcome::not_checkable);
  CHECK(combine(gates({Outcome::not_checkable, Outcome::inconclusive})) == Outcome::inconclusive);
  CHECK(combine(gates({Outcome::inconclusive, Outcome::fail, Outcome::pass})) == Outcome::fail);
  CHECK(combine({}) == Outcome::not_checkable);
}

TEST_CASE("the conclusion tells a right fix that is slow from speed for another reason",
          "[core][verdict]") {
  const auto gates = [](Outcome cause, Outcome time) {
    return std::vector<Gate>{{.name = GateName::built, .outcome = Outcome::pass},
                             {.name = GateName::correct, .outcome = Outcome::pass},
                             {.name = GateName::cause, .outcome = cause},
                             {.name = GateName::time, .outcome = time}};
  };
  const auto slow = conclusion(gates(Outcome::pass, Outcome::fail));
  const auto other = conclusion(gates(Outcome::fail, Outcome::pass));
  const auto simulated = conclusion(gates(Outcome::pass, Outcome::not_checkable));
  CHECK(slow.find("not fast enough") != std::string::npos);
  CHECK(other.find("not for the taught reason") != std::string::npos);
  CHECK(simulated.find("needs a GPU") != std::string::npos);
}

TEST_CASE("a lab that asks for no time, or for no cause, is passed without", "[core][verdict]") {
  const Gate right{.name = GateName::correct, .outcome = Outcome::pass};
  CHECK(conclusion({right, {.name = GateName::cause, .outcome = Outcome::pass}}) ==
        "Passed: right, and for the taught reason.");
  CHECK(conclusion({right, {.name = GateName::time, .outcome = Outcome::pass}}) ==
        "Passed: right and fast.");
}

TEST_CASE("what is open is not said to have passed, however fast it is", "[core][verdict]") {
  std::vector<Gate> gates = {{.name = GateName::correct, .outcome = Outcome::pass},
                             {.name = GateName::same_work, .outcome = Outcome::pass},
                             {.name = GateName::cause, .outcome = Outcome::pass},
                             {.name = GateName::time, .outcome = Outcome::pass}};
  CHECK(conclusion(gates) == "Passed: right, fast, and for the taught reason.");
  for (const Outcome open : {Outcome::inconclusive, Outcome::not_checkable})
    for (Gate& gate : gates) {
      gate.outcome = open;
      CAPTURE(to_string(gate.name), conclusion(gates));
      CHECK(conclusion(gates).find("Passed") == std::string::npos);
      gate.outcome = Outcome::pass;
    }
}

TEST_CASE("what never ended has no wrong result", "[core][verdict]") {
  Gate correct{.name = GateName::correct, .outcome = Outcome::fail};
  const Gate built{.name = GateName::built, .outcome = Outcome::pass};
  CHECK(conclusion({built, correct}).find("does not run to its end") != std::string::npos);
  correct.measured = 31;
  CHECK(conclusion({built, correct}).find("The result is wrong") != std::string::npos);
}

TEST_CASE("a result that is right though the checker found a mistake is not called wrong",
          "[core][verdict]") {
  const Gate correct{.name = GateName::correct,
                     .outcome = Outcome::fail,
                     .measured = 1,
                     .finding = FindingKind::shared_race};
  CHECK(conclusion({correct}) ==
        "The checker found a mistake; speed does not count until it is mended.");
}

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples", "[core][sha256]") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
