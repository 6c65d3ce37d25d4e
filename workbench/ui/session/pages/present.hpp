// Presenting: present mode, from the files and results of a lab to the slide that is shown.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/record/results.hpp"
#include "ui/session/desk.hpp"

namespace klab::ui {

class Presenting {
 public:
  /// `open` opens the lab of an index.
  Presenting(Desk& desk, std::function<void(std::size_t)> open)
      : desk_(desk), open_(std::move(open)) {}

  void begin();
  void end();
  void step(DeckStep step);
  void show(DeckPlace place);

 private:
  std::vector<DeckSource> sources_of(std::size_t lab);

  Desk& desk_;
  std::function<void(std::size_t)> open_;
  std::optional<AllResults> recorded_;  ///< read when first presented
};

}  // namespace klab::ui
