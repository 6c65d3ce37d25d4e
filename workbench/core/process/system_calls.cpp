// A seccomp filter in the kernel's notation (classic BPF), made from two tables.
//
// It names what code has certainly no use for and lets everything else pass: a GPU's driver may use
// calls that no list of ours would hold. Landlock closes the file system.
#include "core/process/system_calls.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace klab {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool is_sanitized = true;  // the search for leaks at exit forks and traces
#else
constexpr bool is_sanitized = false;
#endif

#ifdef __x86_64__
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#endif

/// Calls that older headers do not name; their numbers are the same on every machine.
constexpr long nr_clone3 = 435, nr_openat2 = 437, nr_pidfd_getfd = 438, nr_fchmodat2 = 452,
               nr_setxattrat = 463, nr_removexattrat = 466, nr_open_tree_attr = 467,
               nr_file_setattr = 469;

/// Refused whatever their arguments.
constexpr long always[] = {
    // Another program, a new life without a parent.
    SYS_execve,
    SYS_execveat,
    SYS_setsid,
    SYS_setpgid,
    // Looking into other processes.
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    nr_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_tkill,
    SYS_process_madvise,
    // Memory and messages that outlive the process.
    SYS_shmget,
    SYS_semget,
    SYS_msgget,
    SYS_mq_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    // Marks on files that Landlock does not look after; truncate() only in its first versions.
    SYS_truncate,
    SYS_fchmod,
    SYS_fchmodat,
    nr_fchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    nr_setxattrat,
    nr_removexattrat,
    nr_file_setattr,
    // Other ways to all of the above.
    SYS_io_uring_setup,
    nr_openat2,
    SYS_open_by_handle_at,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_fanotify_init,
    // Counting what others do, or being told of it.
    SYS_perf_event_open,
    // Another view of the machine.
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    nr_open_tree_attr,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    // The machine itself, where the learner is root, as in many containers.
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_iopl,
    SYS_ioperm,
#endif
};
/// A sanitizer's search for leaks needs these.
constexpr long unless_sanitized[] = {SYS_ptrace};

/// What one argument decides: `listed` are its values, of which `mask` is looked at.
struct Rule {
  long call;
  unsigned argument;
  std::uint32_t mask;
  std::vector<std::uint32_t> listed;
  bool allows;  ///< the listed ones pass and no others; else the other way round
};

/// Memory that can be written is not run, and what is run cannot be written.
void keep_code(std::vector<Rule>& made) {
  constexpr std::uint32_t run = PROT_EXEC, both = PROT_WRITE | PROT_EXEC;
  made.insert(made.end(), {{SYS_mprotect, 2, run, {run}, false},
                           {SYS_pkey_mprotect, 2, run, {run}, false},
                           {SYS_mmap, 2, both, {both}, false},
                           {SYS_shmat, 2, SHM_EXEC, {SHM_EXEC}, false},
                           // Asked for reading, memory could be run as well.
                           {SYS_personality, 0, ~0u, {PER_LINUX, 0xffffffffu}, true}});
}

std::vector<Rule> rules(Code code) {
  constexpr std::uint32_t all = ~0u;
  const auto self = static_cast<std::uint32_t>(::getpid());
  const auto inode_flags = static_cast<std::uint32_t>(FS_IOC_SETFLAGS);
  const auto inode_attributes = static_cast<std::uint32_t>(FS_IOC_FSSETXATTR);
  std::vector<Rule> made = {
      // Typing into the terminal from which klab was started; marks on files.
      {SYS_ioctl, 1, all, {TIOCSTI, TIOCLINUX, inode_flags, inode_attributes}, false},
      // Opened for reading, and emptied all the same: older Landlocks do not notice.
      {SYS_openat, 2, O_TRUNC | O_ACCMODE, {O_TRUNC}, false},
#ifdef __x86_64__
      {SYS_open, 1, O_TRUNC | O_ACCMODE, {O_TRUNC}, false},
#endif
      // The driver talks to itself; a network is none of its business.
      {SYS_socket, 0, all, {AF_UNIX, AF_NETLINK}, true},
      // Nothing but oneself is signalled, slowed down or bounded.
      {SYS_kill, 0, all, {self}, true},
      {SYS_tgkill, 0, all, {self}, true},
      {SYS_rt_sigqueueinfo, 0, all, {self}, true},
      {SYS_rt_tgsigqueueinfo, 0, all, {self}, true},
      {SYS_prlimit64, 0, all, {0, self}, true},
      {SYS_setpriority, 1, all, {0, self}, true},
      {SYS_ioprio_set, 1, all, {0, self}, true},
      {SYS_sched_setaffinity, 0, all, {0, self}, true},
      {SYS_sched_setscheduler, 0, all, {0, self}, true},
      {SYS_sched_setparam, 0, all, {0, self}, true},
      {SYS_sched_setattr, 0, all, {0, self}, true},
      // Who asked for the phase ends it, also by going.
      {SYS_prctl, 0, all, {PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER}, false},
  };
  if (code == Code::stays) keep_code(made);
  if (!is_sanitized) made.push_back({SYS_clone, 0, CLONE_THREAD, {CLONE_THREAD}, true});
  return made;
}

class Filter {
 public:
  explicit Filter(Code code) {
    load(offsetof(seccomp_data, arch));
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0));
    put(BPF_RET | BPF_K, refusal(EPERM));
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));  // the x32 calls
    put(BPF_RET | BPF_K, refusal(ENOSYS));
#endif
    for (const Rule& rule : rules(code)) add(rule);
    for (const long call : always) refuse(call, EPERM);
    if (!is_sanitized)
      for (const long call : unless_sanitized) refuse(call, EPERM);
    // Its flags lie in memory, where no filter can look; told that it does not exist, the C library
    // starts its threads by clone().
    refuse(nr_clone3, ENOSYS);
    put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }

  sock_fprog program() { return {static_cast<unsigned short>(program_.size()), program_.data()}; }

 private:
  static std::uint32_t refusal(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  }
  void put(int code, std::uint32_t value) {
    program_.push_back(BPF_STMT(static_cast<unsigned short>(code), value));
  }
  void load(std::size_t offset) {
    put(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  /// Passes over `count` instructions unless the loaded word is `value`.
  void skip_unless(std::uint32_t value, std::size_t count) {
    program_.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<unsigned char>(count)));
  }
  void refuse(long call, int error) {
    skip_unless(static_cast<std::uint32_t>(call), 1);
    put(BPF_RET | BPF_K, refusal(error));
  }
  void add(const Rule& rule) {
    const std::uint32_t when_listed = rule.allows ? SECCOMP_RET_ALLOW : refusal(EPERM);
    const std::uint32_t otherwise = rule.allows ? refusal(EPERM) : SECCOMP_RET_ALLOW;
    skip_unless(static_cast<std::uint32_t>(rule.call), 3 + 2 * rule.listed.size());
    load(offsetof(seccomp_data, args) + 8 * rule.argument);  // the low word: little-endian
    put(BPF_ALU | BPF_AND | BPF_K, rule.mask);
    for (const std::uint32_t value : rule.listed) {
      skip_unless(value, 1);
      put(BPF_RET | BPF_K, when_listed);
    }
    put(BPF_RET | BPF_K, otherwise);
  }

  std::vector<sock_filter> program_;
};

}  // namespace

bool can_refuse_system_calls() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool refuse_system_calls(Code code) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  Filter filter(code);
  const sock_fprog program = filter.program();
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace klab
