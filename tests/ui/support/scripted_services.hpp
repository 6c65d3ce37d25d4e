// ScriptedServices: the code page's services that keep what they were asked and answer what a test
// puts in.
#pragma once

#include <deque>
#include <vector>

#include "ui/background/code_services.hpp"

namespace klab::ui {

struct ScriptedServices : FactsSource, ListingSource {
  std::vector<FactsQuestion> questions;
  std::deque<CompileFacts> answers;
  std::vector<ListingQuestion> listings;
  std::deque<ListingAnswer> listed;

  CodeServices both() { return {this, this}; }

  std::int64_t ask(FactsQuestion question) override {
    questions.push_back(std::move(question));
    return static_cast<std::int64_t>(questions.size());
  }
  void ask(ListingQuestion question) override { listings.push_back(std::move(question)); }
  std::optional<CompileFacts> take() override { return next(answers); }
  std::optional<ListingAnswer> take_listing() override { return next(listed); }

 private:
  template <class T>
  static std::optional<T> next(std::deque<T>& queue) {
    if (queue.empty()) return std::nullopt;
    T first = std::move(queue.front());
    queue.pop_front();
    return first;
  }
};

}  // namespace klab::ui
