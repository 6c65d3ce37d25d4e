// Questions that overtake each other.
#include "ui/background/latest_worker.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

using namespace klab::ui;

TEST_CASE("the latest question is answered and its forerunners are not", "[ui][background]") {
  std::atomic<int> answered = 0, woken = 0;
  LatestWorker<int, int> worker(
      [&](const int& question, const std::atomic<bool>& overtaken) {
        // All but the last are under way until a newer one comes.
        while (question < 20 && !overtaken) std::this_thread::yield();
        ++answered;
        return question;
      },
      [&] { ++woken; });
  for (int question = 1; question <= 20; ++question) worker.ask(question);
  while (woken == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(worker.take() == 20);
  CHECK_FALSE(worker.take());
  CHECK(woken == 1);
  CHECK(answered <= 20);
}

TEST_CASE("a worker ends while a question is under way", "[ui][background]") {
  std::atomic<bool> began = false;
  {
    LatestWorker<int, int> worker(
        [&](const int&, const std::atomic<bool>& overtaken) {
          began = true;
          while (!overtaken) std::this_thread::yield();
          return 0;
        },
        {});
    worker.ask(1);
    while (!began) std::this_thread::yield();
  }
  CHECK(began);
}
