// The shared library stands in for NVIDIA's: every documented function, under the right version.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

}  // namespace

TEST_CASE("Every function the toolkit declares is exported with NVIDIA's version",
          "[simulator][exports]") {
  void* library = dlopen(KLAB_SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const std::string header = text_of(std::string(KLAB_CUDA_INCLUDE) + "/cuda_runtime_api.h");
  const auto names = matches(header, R"(CUDARTAPI\s+(cuda[A-Za-z0-9]+)\s*\()");
  REQUIRE(names.size() >= 300);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(dlvsym(library, name.c_str(), "libcudart.so.13") != nullptr);
  }
  for (const auto& [kind, suffix] : {std::pair{"PTSZ", "_ptsz"}, std::pair{"PTDS", "_ptds"}}) {
    const std::string pattern = std::string("__CUDART_API_") + kind + R"(\((cuda[A-Za-z0-9]+)\))";
    for (const std::string& name : matches(header, pattern.c_str())) {
      CAPTURE(name, suffix);
      CHECK(dlvsym(library, (name + suffix).c_str(), "libcudart.so.13") != nullptr);
    }
  }
  for (const char* hook :
       {"__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
        "__cudaInitModule", "__cudaRegisterFunction", "__cudaRegisterVar",
        "__cudaRegisterManagedVar", "__cudaPushCallConfiguration", "__cudaPopCallConfiguration",
        "__cudaGetKernel", "__cudaLaunchKernel", "__cudaLaunchKernel_ptsz"}) {
    CAPTURE(hook);
    CHECK(dlvsym(library, hook, "libcudart.so.13") != nullptr);
  }
  CHECK(dlsym(library, "klab_sim_report") != nullptr);
  dlclose(library);
}

TEST_CASE("A function that is missing answers with an error and its name", "[simulator][exports]") {
  void* library = dlopen(KLAB_SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto call =
      reinterpret_cast<decltype(&cudaFreeMipmappedArray)>(dlsym(library, "cudaFreeMipmappedArray"));
  const auto last =
      reinterpret_cast<decltype(&cudaGetLastError)>(dlsym(library, "cudaGetLastError"));
  const auto report =
      reinterpret_cast<std::size_t (*)(char*, std::size_t)>(dlsym(library, "klab_sim_report"));
  CHECK(call(nullptr) == cudaErrorNotSupported);
  CHECK(last() == cudaErrorNotSupported);
  std::string text(report(nullptr, 0), '\0');
  report(text.data(), text.size());
  for (const char* part :
       {"cudaFreeMipmappedArray is not part of the simulated runtime",
        "Make an array and a texture of each level, or run the program on a GPU"})
    CHECK(text.find(part) != std::string::npos);
  // The library stays loaded: what follows in this process begins anew.
  reinterpret_cast<void (*)()>(dlsym(library, "klab_sim_begin"))();
  dlclose(library);
}
