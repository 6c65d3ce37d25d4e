// CodeServices: what works for the code page away from the window's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/build/draft/compile_facts_client.hpp"
#include "ui/model/code_state.hpp"

namespace klab::ui {

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
  ~ListingWorker() override;
  ListingWorker(const ListingWorker&) = delete;
  ListingWorker& operator=(const ListingWorker&) = delete;
  void ask(ListingQuestion question) override;
  std::optional<ListingAnswer> take_listing() override;

 private:
  void work();

  const Tree tree_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<ListingQuestion> waiting_;
  std::optional<ListingAnswer> done_;
  std::atomic<bool> stopped_ = false;
  bool ending_ = false;
  std::thread thread_;
};

/// Both must outlive the session that uses them.
struct CodeServices {
  FactsSource* facts = nullptr;
  ListingSource* listings = nullptr;
};

}  // namespace klab::ui
