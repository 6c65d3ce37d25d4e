// CompileFactsClient: keeps klab-compile-facts alive and asks it, away from the caller's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/tree.hpp"
#include "core/build/draft/compile_facts.hpp"
#include "core/course/lab.hpp"
#include "core/process/child.hpp"

namespace klab {

/// A file to be compiled. The latest question counts; those it overtakes are never answered.
struct FactsQuestion {
  Lab lab;
  std::string name;    ///< the file's name, as messages show it
  std::string source;  ///< its text
  ComputeCapability compute_capability = default_compute_capability;
};

/// Where the facts come from.
class FactsSource {
 public:
  virtual ~FactsSource() = default;
  /// Returns at once. The answers carry the number returned here: one from NVRTC, which comes soon,
  /// then an exact one from nvcc's device passes.
  virtual std::int64_t ask(FactsQuestion question) = 0;
  /// The newest answer, once.
  virtual std::optional<CompileFacts> take() = 0;
};

class CompileFactsClient : public FactsSource {
 public:
  /// `wake` is called from another thread when there is an answer to take. The program is started
  /// with the first question, and again after it has crashed or was too slow.
  CompileFactsClient(Tree tree, std::function<void()> wake);
  ~CompileFactsClient() override;
  CompileFactsClient(const CompileFactsClient&) = delete;
  CompileFactsClient& operator=(const CompileFactsClient&) = delete;

  std::int64_t ask(FactsQuestion question) override;
  std::optional<CompileFacts> take() override;
  /// Waits for an answer to the last question; `exact`: for nvcc's.
  CompileFacts wait(bool exact = false);

 private:
  struct Pending {
    std::int64_t number = 0;
    FactsQuestion question;
  };

  void work();
  CompileFacts answer(const Pending& pending);
  /// nvcc's own report; the launches are those of `soon`.
  CompileFacts confirm(const Pending& pending, const CompileFacts& soon);
  /// False if there is something newer to do.
  bool publish(CompileFacts facts);
  Result<CompileFacts> talk(const FactsRequest& request);
  Result<> start();
  void stop_child();
  /// Why the child went away.
  Error ending();

  const Tree tree_;
  const std::function<void()> wake_;
  Child child_;             ///< of the worker alone
  std::string unread_;      ///< the same
  std::string complaints_;  ///< the same: the end of its standard error
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Pending> waiting_;
  std::optional<CompileFacts> done_;
  std::int64_t asked_ = 0;
  std::atomic<bool> overtaken_ = false;  ///< waiting_ or ending_ was set since the work began
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace klab
