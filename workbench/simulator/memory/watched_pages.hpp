// Which pages of a range of addresses something read or wrote.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>

namespace klab::sim {

// Of memory that is zero until somebody writes there, so that what reads pages which nobody wrote
// needs none of them: the system takes longer to bring a page into being than all that is done with
// it. Offsets are from the beginning of the range; several threads may note at once.
class WatchedPages {
 public:
  explicit WatchedPages(std::uint64_t bytes);
  ~WatchedPages();
  WatchedPages(const WatchedPages&) = delete;
  WatchedPages& operator=(const WatchedPages&) = delete;
  // The system gave no address space for it.
  bool failed() const { return read_ == nullptr; }

  static constexpr std::uint64_t page_shift = 12;
  static std::uint64_t page_of(std::uint64_t offset) { return offset >> page_shift; }

  bool is_written(std::uint64_t page) const { return is_set(written_, page); }
  void read(std::uint64_t page) {
    if (!is_set(read_, page)) set(read_, written_, page);
  }
  void write(std::uint64_t page) {
    if (!is_set(written_, page)) set(written_, read_, page);
  }
  void write(std::uint64_t first, std::uint64_t bytes);
  // Of whole pages.
  void forget(std::uint64_t first, std::uint64_t bytes);

  // The first page from `page` to before `end` that something read or wrote.
  std::optional<std::uint64_t> next_touched(std::uint64_t page, std::uint64_t end) const;
  std::uint64_t touched_bytes() const {
    return touched_.load(std::memory_order_relaxed) << page_shift;
  }

 private:
  using Word = std::atomic<std::uint64_t>;  // a bit a page
  static constexpr std::uint64_t pages_of_group = 64 * 64;

  static bool is_set(const Word* bits, std::uint64_t page) {
    return (bits[page / 64].load(std::memory_order_relaxed) >> page % 64 & 1) != 0;
  }
  // One of `bits`; `others` tell whether the page was touched before.
  void set(Word* bits, const Word* others, std::uint64_t page);

  std::uint64_t words_, groups_;
  Word *read_ = nullptr, *written_ = nullptr;
  std::atomic<bool>* any_ = nullptr;        // by group: whether a page of it was ever touched
  std::atomic<std::uint64_t> touched_ = 0;  // pages
};

}  // namespace klab::sim
