// klab-runner-*: reads one request on standard input and answers with records on a descriptor.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <random>
#include <string>

#include "core/base/tree.hpp"
#include "runner/device/record_writer.hpp"
#include "runner/main/closed_room.hpp"
#include "runner/main/remote_service.hpp"
#include "runner/phases/phases.hpp"
#include "runner/phases/platform.hpp"

namespace {

/// The N of `--records-fd N`, if it is an open descriptor.
std::optional<int> records_descriptor(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "--records-fd") != 0) return std::nullopt;
  int descriptor = -1;
  const char* end = argv[2] + std::strlen(argv[2]);
  const auto [rest, error] = std::from_chars(argv[2], end, descriptor);
  if (error != std::errc() || rest != end || descriptor < 0) return std::nullopt;
  if (::fcntl(descriptor, F_GETFD) < 0) return std::nullopt;
  return descriptor;
}

/// Moves the records away from where code would look for them: to a number that nobody knows, and
/// gone in every program that is started. What stays there instead swallows what is written to it.
/// This, with the secret that begins each line, keeps out what a kernel file's host code writes to
/// the descriptor by mistake, or in the hope that it is read. It does not keep out code that goes
/// through all descriptors and reads the secret from our memory: only a process of its own does.
int hidden(int descriptor) {
  constexpr int lowest = 64, most = 4096;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return descriptor;
  const int range = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, most)) - 2 * lowest;
  if (range <= 0) return descriptor;
  const int from = lowest + static_cast<int>(std::random_device()() % unsigned(range));
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, from);
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (moved < 0 || nothing < 0) return descriptor;
  ::dup2(nothing, descriptor);
  ::close(nothing);
  return moved;
}

}  // namespace

int main(int argc, char** argv) {
  const klab::Tree here = klab::find_tree();
  // A command such as `sh -c runner` leaves its own arguments behind: what asks through a pipe and
  // says nothing else asks from elsewhere.
  const bool bare = argc == 1 && ::isatty(STDIN_FILENO) == 0;
  if (bare || (argc == 2 && std::strcmp(argv[1], "--remote") == 0))
    return klab::runner::serve_remote(here);
  const std::optional<int> descriptor = records_descriptor(argc, argv);
  if (!descriptor) {
    std::cerr
        << "usage: " << argv[0]
        << " --records-fd N | --remote\nReads one request (a JSON object on one line) on "
           "standard input and writes records to the open file descriptor N. `klab` starts "
           "it. With --remote, or asked through a pipe without an argument, it serves a klab on "
           "another machine over standard input and output.\n";
    return 2;
  }
  // Whoever asked is gone, however it ended: then nobody stops a kernel that never ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_IGN);  // a parent that is gone ends the writing, not the process midway
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error, not an end
  // What a kernel file printed before it hung or crashed is there to be read.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::string line;
  std::getline(std::cin, line);
  klab::Result<klab::Request> request = klab::decode_request(line);
  if (request) request->visible_devices = here.visible_devices;
  klab::runner::RecordWriter out(hidden(*descriptor), request ? request->secret : std::string());
  out.write(
      klab::record::Hello{klab::protocol_version, klab::backend_of(klab::runner::is_simulated())});
  if (request) klab::runner::close_room(*request);
  if (request)
    klab::runner::run(*request, out);
  else
    out.write(klab::record::Failure{request.error(), {}});
  out.write(klab::record::Done{});
  return 0;
}
