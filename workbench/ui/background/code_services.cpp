// One thread that builds what a listing is made from.
#include "ui/background/code_services.hpp"

#include <utility>

namespace klab::ui {

ListingWorker::ListingWorker(Tree tree, std::function<void()> wake)
    : tree_(std::move(tree)), wake_(std::move(wake)), thread_([this] { work(); }) {}

ListingWorker::~ListingWorker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ListingWorker::ask(ListingQuestion question) {
  const std::lock_guard lock(mutex_);
  waiting_ = std::move(question);
  stopped_ = true;
  changed_.notify_all();
}

std::optional<ListingAnswer> ListingWorker::take_listing() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

void ListingWorker::work() {
  while (true) {
    std::optional<ListingQuestion> question;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || waiting_; });
      if (ending_) return;
      question = std::exchange(waiting_, std::nullopt);
      stopped_ = false;
    }
    const auto toolchain = find_toolchain(tree_);
    Result<CodeListing> listing =
        toolchain
            ? list_code(tree_, *toolchain, question->lab, question->key.variant, question->source,
                        question->compute_capability, question->key.kind, &stopped_)
            : Result<CodeListing>(toolchain.error());
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) continue;
      done_ = ListingAnswer{std::move(question->key), std::move(listing)};
    }
    if (wake_) wake_();
  }
}

}  // namespace klab::ui
