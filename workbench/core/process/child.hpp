// Child: starting a process with pipes, for those that talk to it.
#pragma once

#include <sys/types.h>

#include <utility>

#include "core/base/result.hpp"
#include "core/process/process_request.hpp"

namespace klab {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void close();

 private:
  int fd_ = -1;
};

/// A process that was started and our ends of its pipes, none of which block. `records` is open
/// only where it was asked for.
struct Child {
  pid_t pid = -1;
  Descriptor in, out, err, records;
};

/// Starts request.command as the leader of a process group of its own. Of the request only command,
/// environment, folder and with_records matter. The caller waits for the process. Errors:
/// ErrorCode::io.
Result<Child> spawn(const ProcessRequest& request);

}  // namespace klab
