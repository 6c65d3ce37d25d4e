// Preloaded into a program, it lets the n-th call that changes a file fail, or ends the program
// there.
//
// KLAB_FAULT is "fail N" or "kill N"; once that call comes, the file KLAB_FAULT_MARK is made. A
// write that fails has written its first half, and the disk stays full; one at which the program is
// killed has written its first half too.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool is_full = false;

/// Whether this is the call; then it is marked.
bool is_the_call() {
  static const char* const order = std::getenv("KLAB_FAULT");
  static long left = order != nullptr ? std::strtol(order + 5, nullptr, 10) : 0;
  if (order == nullptr || --left != 0) return false;
  const char* mark = std::getenv("KLAB_FAULT_MARK");
  const long file = ::syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  ::syscall(SYS_close, file);
  return true;
}

void die_if_told() {
  if (std::strncmp(std::getenv("KLAB_FAULT"), "kill", 4) == 0)
    ::syscall(SYS_kill, ::getpid(), SIGKILL);
}

/// True, with errno set, if the call is to fail.
bool fails(int error) {
  if (!is_the_call()) return false;
  die_if_told();
  errno = error;
  return true;
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  const bool changes = (flags & O_ACCMODE) != O_RDONLY;
  if (changes && fails((flags & O_CREAT) != 0 ? ENOSPC : EACCES)) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

mode_t mode_in(int flags, va_list arguments) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t count) {
  struct stat facts {};
  const bool is_regular = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (!is_regular) return real(file, bytes, count);
  if (is_full) {
    errno = ENOSPC;
    return -1;
  }
  if (!is_the_call()) return real(file, bytes, count);
  const ssize_t written = real(file, bytes, count / 2);
  die_if_told();
  is_full = true;
  return written;
}
int mkdir(const char* path, mode_t mode) {
  static auto* const real = next<int(const char*, mode_t)>("mkdir");
  return fails(ENOSPC) ? -1 : real(path, mode);
}
int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return fails(EIO) ? -1 : real(from, to);
}
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) noexcept {
  static auto* const real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(EIO) ? -1 : real(a, from, b, to, flags);
}
int link(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("link");
  return fails(EIO) ? -1 : real(from, to);
}
int unlink(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("unlink");
  return fails(EIO) ? -1 : real(path);
}
int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return fails(EIO) ? -1 : real(file);
}
int ftruncate(int file, off_t length) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  return fails(EIO) ? -1 : real(file, length);
}
int fchmod(int file, mode_t mode) noexcept {
  static auto* const real = next<int(int, mode_t)>("fchmod");
  return fails(EPERM) ? -1 : real(file, mode);
}
}
