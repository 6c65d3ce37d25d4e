// LatestWorker: answers questions on a thread of its own, the latest one alone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace klab::ui {

template <class Question, class Answer>
class LatestWorker {
 public:
  /// `work` runs on the thread; it may give up once it is overtaken, for then nobody sees its
  /// answer. `wake` is called from there when there is an answer to take.
  using Work = std::function<Answer(const Question&, const std::atomic<bool>& overtaken)>;

  LatestWorker(Work work, std::function<void()> wake)
      : work_(std::move(work)), wake_(std::move(wake)), thread_([this] { run(); }) {}
  ~LatestWorker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      overtaken_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  LatestWorker(const LatestWorker&) = delete;
  LatestWorker& operator=(const LatestWorker&) = delete;

  /// Returns at once.
  void ask(Question question) {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(question);
    overtaken_ = true;
    changed_.notify_all();
  }
  /// The newest answer, once.
  std::optional<Answer> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, std::nullopt);
  }

 private:
  void run() {
    while (true) {
      std::optional<Question> question;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || waiting_; });
        if (ending_) return;
        question = std::exchange(waiting_, std::nullopt);
        overtaken_ = false;
      }
      Answer answer = work_(*question, overtaken_);
      {
        const std::lock_guard lock(mutex_);
        if (overtaken_) continue;
        done_ = std::move(answer);
      }
      if (wake_) wake_();
    }
  }

  const Work work_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Question> waiting_;
  std::optional<Answer> done_;
  std::atomic<bool> overtaken_ = false;  ///< waiting_ or ending_ was set since the work began
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace klab::ui
