// What is said when calls fail in launch(), or the given stream does not come back as it was.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "support/temporary_folder.hpp"
#include "support/verifying.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The error of lab 02's task with this body of launch(); `scale(stream)` does what is asked for.
Error error_of(const std::string& body) {
  const test::TemporaryFolder folder;
  const auto source = folder.write("mine.cu", R"(#include "contract.cuh"
namespace {
__global__ void each(Args a) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < a.rows * a.columns) a.out[i] = a.gain[i / a.columns] * a.in[i];
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  const auto scale = [&](cudaStream_t in) {
    each<<<unsigned((a.rows * a.columns + 255) / 256), 256, 0, in>>>(a);
  };
)" + body + "}\n");
  const PhaseOutcome outcome = test::verified("02_coalescing", source, {.sizes = {{10, 100}}});
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::launch_failed);
  return *outcome.error;
}

}  // namespace

TEST_CASE("of calls that fail in a row the first is named", "[runner][refused]") {
  const Error error = error_of(R"(
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  void* room = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMalloc(&room, 256);
  scale(stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphDestroy(graph);
)");
  CHECK_THAT(error.what, ContainsSubstring("cudaMalloc answers cudaErrorStreamCaptureUnsupported"));
  CHECK_THAT(shell_words(error.remedy), ContainsSubstring("before the capture begins"));
}

TEST_CASE("a stream that comes back in a capture is the launch's mistake", "[runner][refused]") {
  const Error error = error_of(R"(
  scale(stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
)");
  CHECK_THAT(error.what, ContainsSubstring("left the given stream in a capture"));
}

TEST_CASE("a stream that does not come back is the launch's mistake", "[runner][refused]") {
  const Error error = error_of(R"(
  scale(stream);
  cudaStreamDestroy(stream);
)");
  CHECK_THAT(error.what, ContainsSubstring("destroyed the stream that it was given"));
}
