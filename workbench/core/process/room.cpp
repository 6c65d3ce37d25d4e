// Landlock: rules for files that a process lays upon itself. Source: Documentation/userspace-api/
// landlock.rst in Linux.
#include "core/process/room.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>

#include "core/base/files.hpp"
#include "core/process/system_calls.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

// As <linux/landlock.h> has them; the headers of Debian 12 know the first two versions alone.
constexpr std::uint64_t execute = 1, write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3,
                        make_char = 1 << 6, make_block = 1 << 11, first_version = (1 << 13) - 1,
                        refer = 1 << 13, cut = 1 << 14;
constexpr std::uint64_t abstract_sockets = 1, signals = 2;
constexpr unsigned ask_version = 1;
constexpr int rule_path_beneath = 1;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t parent;
};

constexpr std::uint64_t reading = read_file | read_dir, device_use = read_file | write_file;

std::uint64_t rights_of(int version) {
  return first_version | (version >= 2 ? refer : 0) | (version >= 3 ? cut : 0);
}

/// What is not there needs no rule.
void allow(int ruleset, const fs::path& path, std::uint64_t rights) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat facts {};
  if (place.get() < 0 || ::fstat(place.get(), &facts) != 0) return;
  if (!S_ISDIR(facts.st_mode)) rights &= execute | write_file | read_file | cut;
  const PathRule rule{rights, place.get()};
  (void)::syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &rule, 0);
}

/// Those of a GPU, and the harmless ones that every program may expect.
std::vector<fs::path> devices() {
  std::vector<fs::path> found;
  for (const char* name : {"null", "zero", "full", "random", "urandom", "dxg", "nvmap", "dri"})
    found.push_back(fs::path("/dev") / name);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev", ignored))
    if (const std::string name = entry.path().filename();
        name.starts_with("nvidia") || name.starts_with("nvhost"))
      found.push_back(entry.path());
  return found;
}

bool close_files(const Room& room, int version) {
  const std::uint64_t handled = rights_of(version);
  RulesetAttributes attributes{.files = handled};
  std::size_t known = sizeof attributes.files;
  if (version >= 6) {
    attributes.scoped = abstract_sockets | signals;
    known = sizeof attributes;
  }
  const Descriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, known, 0)));
  if (ruleset.get() < 0) return false;
  for (const fs::path& path : room.readable) allow(ruleset.get(), path, reading);
  for (const fs::path& path : devices())
    allow(ruleset.get(), path, (device_use | reading) & handled);
  // NVIDIA's driver opens `comm` there for writing, to name its threads, and does not start (304)
  // if it cannot.
  allow(ruleset.get(), "/proc/self/task", (reading | write_file | cut) & handled);
  // Kept open: the kernel forgets and makes anew what nobody holds in /proc, and then no rule fits.
  static const Descriptor tasks(::open("/proc/self/task", O_PATH | O_CLOEXEC));
  if (!room.scratch.empty())
    allow(ruleset.get(), room.scratch, handled & ~(execute | make_char | make_block));
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

std::optional<int> landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
  if (version < 1) return std::nullopt;
  return static_cast<int>(version);
}

bool is_process(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; }) ||
         name == "self" || name == "thread-self";
}

}  // namespace

std::vector<fs::path> system_files() {
  std::vector<fs::path> found;
  for (const char* name : {"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc",
                           "/opt", "/sys", "/nix", "/gnu", "/run/nvidia-persistenced"})
    found.emplace_back(name);
  found.emplace_back("/proc/self");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored))
    if (!is_process(entry.path().filename())) found.push_back(entry.path());
  return found;
}

RoomGuards offered_guards() { return {landlock_version(), can_refuse_system_calls()}; }

RoomGuards shut_in(const Room& room) {
  RoomGuards holding{landlock_version(), false};
  if (holding.landlock && !close_files(room, *holding.landlock)) holding.landlock.reset();
  holding.system_calls = refuse_system_calls(room.code);
  return holding;
}

}  // namespace klab
