// Persistent threads that help with a launch once it has proved worth waking them.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace klab::sim {

class WorkerPool {
 public:
  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Threads in all, the caller of run() included. Not while a job runs.
  void resize(unsigned threads);
  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Calls job(0) here; after job(0) calls wake(), job(1), job(2), ... on the other threads too.
  // Returns when all calls have.
  void run(const std::function<void(unsigned)>& job);
  void wake();

 private:
  void serve(unsigned index, std::uint64_t seen);
  void stop();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable started_, finished_;
  const std::function<void(unsigned)>* running_ = nullptr;  // job(0), on the thread of run()
  const std::function<void(unsigned)>* job_ = nullptr;      // of the others; null: nothing to do
  std::uint64_t generation_ = 0;
  unsigned busy_ = 0;
  bool woken_ = false;
  bool ending_ = false;
};

}  // namespace klab::sim
