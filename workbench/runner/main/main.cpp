// klab-runner-*: reads one request on standard input and answers with records on a descriptor.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>

#include "runner/device/record_writer.hpp"
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

}  // namespace

int main(int argc, char** argv) {
  // A command such as `sh -c runner` leaves its own arguments behind: what asks through a pipe and
  // says nothing else asks from elsewhere.
  const bool bare = argc == 1 && ::isatty(STDIN_FILENO) == 0;
  if (bare || (argc == 2 && std::strcmp(argv[1], "--remote") == 0))
    return klab::runner::serve_remote();
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
  klab::runner::RecordWriter out(*descriptor);
  out.write(klab::record::Hello{klab::protocol_version, std::string(klab::runner::backend_name())});
  std::string line;
  std::getline(std::cin, line);
  const klab::Result<klab::Request> request = klab::decode_request(line);
  if (request)
    klab::runner::run(*request, out);
  else
    out.write(klab::record::Failure{request.error(), {}});
  out.write(klab::record::Done{});
  return 0;
}
