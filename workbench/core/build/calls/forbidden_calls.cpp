// The table of calls that a kernel file has no use for, with the reason for each group.
//
// Of the C library, what is not needed is refused as well (c_library.cpp); its names are here for
// their reasons. Of the C++ library and CUDA, what is not in the table passes: containers, streams,
// locks, clocks, CUDA with its graphs, streams and pools, cooperative groups, CUB, Thrust and NVTX.
// dlopen() and dlsym(), which NVTX calls, are replaced when a kernel file is linked
// (plugin_builder.cpp), as is syscall(), so only what goes around that shows here. The driver's
// functions are asked for by name when the file runs; the runner answers by this table
// (runner/main/injection.cpp).
#include "core/build/calls/forbidden_calls.hpp"

#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/build/calls/c_library.hpp"
#include "core/build/demangle.hpp"
#include "core/process/process.hpp"

namespace klab {
namespace {

struct Group {
  std::string_view why;                   ///< goes on after "which"
  std::vector<std::string_view> symbols;  ///< whole names, or beginnings that end in '*'
};

const std::vector<Group>& groups() {
  static const std::vector<Group> table = {
      {"changes which memory can be written or run",
       {"mprotect", "pkey_*", "mmap", "mmap64", "munmap", "mremap", "remap_file_pages", "madvise",
        "userfaultfd", "mincore", "mlock*", "brk", "sbrk"}},
      {"keeps memory beyond the launch, or shares it with other programs",
       {"shm_open",
        "shm_unlink",
        "shmget",
        "shmat",
        "shmctl",
        "memfd_create",
        "sem_open",
        "mq_open",
        "msgget",
        "semget",
        "cudaIpc*",
        "cuIpc*",
        "cuMemExportToShareableHandle",
        "cuMemImportFromShareableHandle",
        "cudaMemPoolExport*",
        "cudaMemPoolImport*",
        "cuMemPoolExport*",
        "cuMemPoolImport*",
        "cudaImportExternal*",
        "cuImportExternal*"}},
      {"starts or rules processes",
       {"fork",   "vfork",       "_Fork",   "clone",   "unshare",      "setns",
        "execl*", "execv*",      "fexecve", "system",  "popen",        "posix_spawn*",
        "daemon", "setsid",      "setpgid", "setpgrp", "wait",         "waitpid",
        "waitid", "wait3",       "wait4",   "ptrace",  "process_vm_*", "pidfd_*",
        "prctl",  "personality", "kill",    "killpg",  "tgkill",       "wordexp"}},
      {"sends, catches or times signals",
       {"signal",      "__sysv_signal",   "bsd_signal",       "ssignal",        "sigaction",
        "sigset",      "sigqueue",        "sigaltstack",      "siginterrupt",   "raise",
        "gsignal",     "pthread_kill",    "pthread_sigqueue", "pthread_cancel", "alarm",
        "sigprocmask", "pthread_sigmask", "sigwait*",         "sigtimedwait",   "sigsuspend",
        "pause",       "ualarm",          "setitimer",        "timer_create",   "timer_settime",
        "timerfd_*",   "signalfd"}},
      {"starts a host thread: whether it has ended when `launch` does cannot be told, so "
       "none may be started",
       {"pthread_create", "thrd_create", "getaddrinfo_a", "GOMP_*",
        "_ZNSt6thread15_M_start_thread*"}},
      {"gives threads or processes another priority or processor",
       {"sched_set*", "setpriority", "nice", "setrlimit*", "prlimit*", "pthread_setaffinity_np",
        "pthread_setschedparam", "pthread_setschedprio"}},
      {"looks for functions and libraries behind the linker's back",
       {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr*", "dlinfo", "dl_iterate_phdr", "_r_debug",
        "_dl_*", "_rtld_*", "__libc_dl*", "__tunable_*", "getauxval", "iconv_open", "backtrace*",
        "cudaGetExportTable", "cuGetExportTable", "cuGetProcAddress*"}},
      {"opens or changes files; what a kernel file has to say, it prints",
       {"open",
        "open64",
        "openat",
        "openat64",
        "__open*",
        "creat*",
        "fopen",
        "fopen64",
        "freopen*",
        "fdopen",
        "tmpfile*",
        "mkstemp*",
        "mkostemp*",
        "open_by_handle_at",
        "name_to_handle_at",
        "fdopendir",
        "scandir*",
        "ftw*",
        "nftw*",
        "glob",
        "glob64",
        "catopen",
        "fallocate*",
        "posix_fallocate*",
        "copy_file_range",
        "chroot",
        "mount",
        "inotify_*",
        "fanotify_*",
        "mkdtemp",
        "mkdir*",
        "mkfifo*",
        "mknod*",
        "unlink*",
        "remove",
        "rename*",
        "link",
        "linkat",
        "symlink*",
        "truncate*",
        "ftruncate*",
        "chmod",
        "fchmod*",
        "chown",
        "fchown*",
        "utime*",
        "futime*",
        "lutimes",
        "opendir",
        "readlink*",
        "_ZNSt13basic_filebuf*",
        "_ZNSt12__basic_file*",
        "_ZNSt14basic_ifstream*",
        "_ZNSt14basic_ofstream*",
        "_ZNSt13basic_fstream*",
        "setmntent",
        "_IO_file_*",
        "_IO_fopen",
        "_ZN9__gnu_cxx13stdio_filebuf*",
        "_ZNSt10filesystem*",
        "_ZNKSt10filesystem*",
        "_ZNSt6chrono8get_tzdb*",
        "_ZNSt6chrono11locate_zone*",
        "_ZNSt6chrono11reload_tzdb*",
        "_ZNSt6chrono12current_zone*",
        "_ZNSt6chrono13get_tzdb_list*",
        "cudaGraphDebugDotPrint",
        "cuGraphDebugDotPrint",
        "cudaLibraryLoadFromFile",
        "cuLibraryLoadFromFile",
        "cuModuleLoad",
        "cuLinkAddFile*",
        "cublasLoggerConfigure",
        "cublasLtLogger*"}},
      {"changes the language in which the program that checks it reads and writes numbers",
       {"setlocale", "newlocale", "uselocale", "_ZNSt6locale6globalERKS_", "_ZNSt6localeC1EPKc",
        "_ZNSt6localeC2EPKc", "_ZNSt6localeC1ERKS_PKci", "_ZNSt6localeC2ERKS_PKci"}},
      {"changes how the program that checks it rounds",
       {"fesetround", "fesetenv", "fesetmode", "feupdateenv", "feholdexcept", "feenableexcept"}},
      {"reads what the runner is asked",
       {"stdin", "getchar*", "scanf", "__isoc99_scanf", "__isoc23_scanf", "gets", "_ZSt3cin",
        "_ZSt4wcin"}},
      {"reads or writes descriptors that it was not given; what a kernel file has to say, it "
       "prints",
       {"write",    "pwrite*",    "writev",        "__write*",  "read",        "pread*",
        "readv",    "__read_chk", "close",         "closefrom", "close_range", "dup",
        "dup2",     "dup3",       "fcntl",         "fcntl64",   "ioctl",       "pipe",
        "pipe2",    "poll",       "__poll*",       "ppoll",     "select",      "epoll_*",
        "eventfd",  "dprintf",    "__dprintf_chk", "sendfile*", "splice",      "tee",
        "vmsplice", "aio_*",      "lio_listio*"}},
      {"talks to a network",
       {"socket", "socketpair", "connect", "bind", "listen", "accept*", "send", "sendto", "sendmsg",
        "recv", "recvfrom", "recvmsg", "getaddrinfo", "gethostby*"}},
      {"changes the environment of the program that checks it",
       {"setenv", "putenv", "unsetenv", "clearenv", "environ", "__environ", "_environ"}},
      {"calls the system directly", {"syscall", "arch_prctl", "iopl", "ioperm", "bpf"}},
      {"belongs to what checks it",
       {"cupti*", "nvml*", "NVPW_*", "nvperf*", "klab_*", "_ZN4klab*", "__real_*", "cuProfiler*",
        "cuCheckpoint*", "cuCoredump*", "cudaLogs*", "cuLogs*"}},
      {"changes the device under what checks it",
       {"cudaDeviceReset", "cudaSetDeviceFlags", "cudaInitDevice", "cudaProfiler*", "cuCtxCreate*",
        "cuCtxDestroy*", "cuCtxDetach", "cuCtxReset*", "cuCtxSetFlags", "cuDevicePrimaryCtxReset*",
        "cuDevicePrimaryCtxRelease*", "cuDevicePrimaryCtxSetFlags*"}},
  };
  return table;
}

constexpr std::string_view not_needed = "is not among what a kernel file needs";

/// Names whose place another definition must not take.
constexpr std::string_view taken[] = {"clock_gettime",   "gettimeofday", "clock",    "time",
                                      "clock_nanosleep", "nanosleep",    "__wrap_*", "cuda*",
                                      "__cuda*",         "cupti*",       "nvml*",    "klab_*"};

bool fits(std::string_view symbol, std::string_view pattern) {
  if (!pattern.ends_with('*')) return symbol == pattern;
  return symbol.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// Names of C++ code, of CUDA's libraries, and those that the runner answers itself.
bool is_of_c(std::string_view symbol) {
  for (const std::string_view other :
       {"_Z", "__wrap_", "cuda", "__cuda", "cublas", "cufft", "curand", "cusparse", "cusolver",
        "cutensor", "cudnn", "nvrtc", "nvJitLink", "nccl", "npp"})
    if (symbol.starts_with(other)) return false;
  // The driver's functions: cuMemcpy.
  return !(symbol.starts_with("cu") && symbol.size() > 2 && symbol[2] >= 'A' && symbol[2] <= 'Z');
}

Error misuse(const std::string& what) {
  return make_error(ErrorCode::build_failed, what,
                    "Leave it out: a kernel file launches its work on the stream that it was given "
                    "and returns. docs/trust.md says why.");
}

/// Reads objdump's lines for what enters the kernel: instructions of the file's own, and calls of
/// syscall() with another number than that by which std::atomic, std::latch and semaphores wait.
class SystemCalls {
 public:
  /// False when something was found.
  bool read(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      number_is_futex_ = false;  // a function begins
      return true;
    }
    const std::string_view code = line.substr(tab + 1);
    if (enters_kernel(code))
      what_ = "The kernel file's host code makes a system call by an instruction of its own.";
    else if (is_call_of_syscall(code) && !number_is_futex_)
      what_ =
          "The kernel file calls `syscall`, which calls the system directly. Of the system's calls "
          "only futex may be asked for so, by which std::atomic, std::latch and semaphores wait.";
    if (sets_number(code)) number_is_futex_ = code.find("$0xca,") != std::string_view::npos;
    if (code.starts_with("call")) number_is_futex_ = false;  // a call may leave anything there
    return what_.empty();
  }
  const std::string& what() const { return what_; }

 private:
  static bool enters_kernel(std::string_view code) {
    for (const std::string_view name : {"syscall", "sysenter", "svc"})
      if (code.starts_with(name)) return true;
    return code.starts_with("int ") && code.find("$0x80") != std::string_view::npos;
  }
  /// As a call, or as a jump at a function's end; the linker's own jump goes through a table.
  static bool is_call_of_syscall(std::string_view code) {
    const bool jumps = code.starts_with("jmp") && code.find('*') == std::string_view::npos;
    return (code.starts_with("call") || jumps) &&
           code.find("<__wrap_syscall") != std::string_view::npos;
  }
  /// The first argument, on x86.
  static bool sets_number(std::string_view code) {
    return code.find(",%edi") != std::string_view::npos ||
           code.find(",%rdi") != std::string_view::npos || code.ends_with(" %rdi") ||
           code.ends_with(" %edi");
  }

  bool number_is_futex_ = false;
  std::string what_;
};

std::string system_calls_of(const std::filesystem::path& library) {
  SystemCalls calls;
  const auto run =
      run_process({.command = {"objdump", "-d", "--no-show-raw-insn", library.string()},
                   .time_limit_s = 20,
                   .records_on_output = true},
                  [&](std::string_view line) { return calls.read(line); });
  return run ? calls.what() : std::string();
}

}  // namespace

std::string_view why_forbidden(std::string_view symbol) {
  for (const Group& group : groups())
    for (const std::string_view pattern : group.symbols)
      if (fits(symbol, pattern)) return group.why;
  return is_of_c(symbol) && !is_needed_of_c(symbol) ? not_needed : std::string_view();
}

std::optional<Error> misuse_of(const LibrarySymbols& symbols) {
  const auto calls = [](const std::string& name, std::string_view why) {
    return misuse("The kernel file calls `" + demangled(name) + "`, which " + std::string(why) +
                  ".");
  };
  const std::string* unneeded = nullptr;
  for (const std::string& name : symbols.imports) {
    const std::string_view why = why_forbidden(name);
    if (why == not_needed)
      unneeded = &name;  // another call may tell more of what is meant
    else if (!why.empty())
      return calls(name, why);
  }
  if (unneeded != nullptr) return calls(*unneeded, not_needed);
  for (const std::string& name : symbols.exports)
    for (const std::string_view pattern : taken)
      if (fits(name, pattern))
        return misuse("The kernel file defines `" + name +
                      "`, a name that is CUDA's, the C library's or that of what checks it.");
  return std::nullopt;
}

std::optional<Error> misuse_in(const std::filesystem::path& library) {
  const auto bytes = read_file(library, std::size_t{256} << 20);
  const auto symbols = bytes ? read_symbols(*bytes) : std::nullopt;
  if (!symbols) return std::nullopt;
  if (auto found = misuse_of(*symbols)) return found;
  if (const std::string what = system_calls_of(library); !what.empty()) return misuse(what);
  return std::nullopt;
}

}  // namespace klab
