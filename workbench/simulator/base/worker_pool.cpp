// Persistent worker threads.
#include "simulator/base/worker_pool.hpp"

#include <pthread.h>

#include <csignal>

#include "simulator/base/host_arithmetic.hpp"

namespace klab::sim {

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  ending_ = false;
}

void WorkerPool::resize(unsigned threads) {
  stop();
  // Signals are the host program's: they go to its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // A thread may begin only after it was woken: it has to hear of that.
  for (unsigned index = 1; index < threads; ++index)
    threads_.emplace_back([this, index, seen = generation_] { serve(index, seen); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerPool::run(const std::function<void(unsigned)>& job) {
  woken_ = false;
  running_ = &job;
  job(0);
  running_ = nullptr;
  if (!woken_) return;
  std::unique_lock lock(mutex_);
  job_ = nullptr;  // who has not begun yet need not
  finished_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::wake() {
  if (woken_ || threads_.empty()) return;
  woken_ = true;
  {
    const std::lock_guard lock(mutex_);
    job_ = running_;
    ++generation_;
  }
  started_.notify_all();
}

void WorkerPool::serve(unsigned index, std::uint64_t seen) {
  const DefaultArithmetic arithmetic;  // a thread begins with that of the one that started it
  std::unique_lock lock(mutex_);
  for (;;) {
    started_.wait(lock, [&] { return ending_ || generation_ != seen; });
    if (ending_) return;
    seen = generation_;
    if (job_ == nullptr) continue;
    const auto& job = *job_;
    ++busy_;
    lock.unlock();
    job(index);
    lock.lock();
    if (--busy_ == 0) finished_.notify_all();
  }
}

}  // namespace klab::sim
