// Memory of the host beside a buffer of a launch in part.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace klab::runner {

/// As long as a buffer, and only what is touched takes memory; zero at first.
class HostMirror {
 public:
  explicit HostMirror(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) begin_ = static_cast<std::byte*>(memory);
  }
  ~HostMirror() {
    if (begin_) munmap(begin_, bytes_);
  }
  HostMirror(HostMirror&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
  HostMirror& operator=(HostMirror&&) = delete;
  std::byte* get() const { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_;
};

}  // namespace klab::runner
