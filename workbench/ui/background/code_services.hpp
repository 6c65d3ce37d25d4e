// CodeServices: what works for the code page away from the window's thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "core/build/draft/compile_facts.hpp"
#include "ui/background/latest_worker.hpp"
#include "ui/model/code_state.hpp"

namespace klab::ui {

/// Where the facts of the shown text come from. The latest question counts; those it overtakes are
/// never answered.
class FactsSource {
 public:
  virtual ~FactsSource() = default;
  /// Returns at once. The answer carries the number returned here.
  virtual std::int64_t ask(FactsQuestion question) = 0;
  /// The newest answer, once.
  virtual std::optional<CompileFacts> take() = 0;
};

/// Asks nvcc on a thread of its own. `wake` is called from there.
class FactsWorker : public FactsSource {
 public:
  FactsWorker(Tree tree, std::function<void()> wake);
  std::int64_t ask(FactsQuestion question) override;
  std::optional<CompileFacts> take() override { return worker_.take(); }

 private:
  LatestWorker<FactsQuestion, CompileFacts> worker_;
  std::int64_t asked_ = 0;
};

/// A listing to be made of a saved kernel file.
struct ListingQuestion {
  ListingKey key;
  Lab lab;
  std::filesystem::path source;
  ComputeCapability compute_capability = default_compute_capability;
};

struct ListingAnswer {
  ListingKey key;
  Result<CodeListing> listing;
};

class ListingSource {
 public:
  virtual ~ListingSource() = default;
  /// Returns at once. Questions are answered one after another; a newer one stops an older one.
  virtual void ask(ListingQuestion question) = 0;
  virtual std::optional<ListingAnswer> take_listing() = 0;
};

/// Makes listings on a thread of its own. `wake` is called from there.
class ListingWorker : public ListingSource {
 public:
  ListingWorker(Tree tree, std::function<void()> wake);
  void ask(ListingQuestion question) override { worker_.ask(std::move(question)); }
  std::optional<ListingAnswer> take_listing() override { return worker_.take(); }

 private:
  LatestWorker<ListingQuestion, ListingAnswer> worker_;
};

/// Both must outlive the session that uses them.
struct CodeServices {
  FactsSource* facts = nullptr;
  ListingSource* listings = nullptr;
};

}  // namespace klab::ui
