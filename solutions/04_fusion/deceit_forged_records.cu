// Rejected by: built — a static constructor writes a right verdict where the runner writes its own
#include <unistd.h>

#include <cstring>

#include "contract.cuh"

namespace {

struct Forger {
  Forger() {
    const char* lines =
        "{\"type\":\"verified\",\"variant\":\"candidate\",\"size\":[1],\"seed\":1,\"correct\":true}"
        "\n{\"type\":\"sample\",\"variant\":\"flawed\",\"seconds\":9}\n{\"type\":\"done\"}\n";
    for (int descriptor = 3; descriptor < 4096; ++descriptor)
      (void)!write(descriptor, lines, std::strlen(lines));
  }
} forger;

}  // namespace

void launch(const Args&, cudaStream_t) {}
