// klab-compile-facts: reads one request a line on standard input, answers with one line each.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>

#include "compiler/nvrtc_compiler.hpp"

namespace {

/// Templates that grow without bound end this process, not the machine.
[[maybe_unused]] constexpr rlim_t most_memory_bytes = rlim_t{8} << 30;

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1) {
    std::cerr
        << "usage: " << argv[0]
        << "\nReads requests (one JSON object a line) on standard input and answers each with "
           "one line. `klab facts` and the window start it.\n";
    return 2;
  }
#ifndef __SANITIZE_ADDRESS__  // which reserves more address space than any limit leaves
  const rlimit limit{most_memory_bytes, most_memory_bytes};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
  [[maybe_unused]] const int niceness = ::nice(5);  // whoever types goes first
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = klab::decode_facts_request(line);
    klab::CompileFacts facts;
    if (request)
      facts = klab::compiler::compile(*request);
    else
      facts.error = request.error();
    std::cout << klab::encode(facts) << std::endl;
  }
  return 0;
}
