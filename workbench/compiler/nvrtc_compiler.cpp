// NVRTC's calls, and its messages brought back to the learner's file.
#include "compiler/nvrtc_compiler.hpp"

#include <nvrtc.h>

#include <algorithm>
#include <map>

#include "compiler/standard_headers.hpp"
#include "core/build/demangle.hpp"
#include "core/build/draft/device_source.hpp"

namespace klab::compiler {
namespace {

/// A program of NVRTC that ends with its scope.
class Program {
 public:
  Program(const FactsRequest& request, const DeviceSource& source) {
    const Headers& headers = standard_headers(source.uses_standard_library);
    status_ = nvrtcCreateProgram(&program_, source.text.c_str(), request.name.c_str(),
                                 static_cast<int>(headers.names.size()), headers.texts.data(),
                                 headers.names.data());
    for (const std::string& kernel : source.kernels)
      if (status_ == NVRTC_SUCCESS) status_ = nvrtcAddNameExpression(program_, kernel.c_str());
  }
  ~Program() {
    if (program_) nvrtcDestroyProgram(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const std::vector<std::string>& options) {
    if (status_ != NVRTC_SUCCESS) return status_;
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  std::string log() const {
    std::size_t bytes = 0;
    if (!program_ || nvrtcGetProgramLogSize(program_, &bytes) != NVRTC_SUCCESS || bytes == 0)
      return {};
    std::string text(bytes, '\0');
    if (nvrtcGetProgramLog(program_, text.data()) != NVRTC_SUCCESS) return {};
    return text.c_str();
  }
  /// The demangled name of a kernel that was asked for; empty if there is none.
  std::string demangled(const std::string& expression) const {
    const char* mangled = nullptr;
    if (nvrtcGetLoweredName(program_, expression.c_str(), &mangled) != NVRTC_SUCCESS) return {};
    return klab::demangled(mangled);
  }

 private:
  nvrtcProgram program_ = nullptr;
  nvrtcResult status_ = NVRTC_SUCCESS;
};

/// What plugins are built with, as far as it concerns device code (core/build/plugin_builder.cpp).
std::vector<std::string> options_of(const FactsRequest& request) {
  std::vector<std::string> options = {
      "--gpu-architecture=sm_" + to_string(request.architecture), "--std=c++20",
      "--generate-line-info", "--ptxas-options=-v",
      // The contract declares `launch`, which is no device function and is never called from one.
      "--device-as-default-execution-space"};
  for (const auto& folder : request.include) options.push_back("--include-path=" + folder.string());
  return options;
}

/// A name that the file has, but only for the host.
void name_host_functions(CompilerMessage& message, const DeviceSource& source) {
  for (const std::string& name : source.host_functions)
    if (message.text == "identifier \"" + name + "\" is undefined")
      message.text = "\"" + name +
                     "\" runs on the host; a kernel can call it once __device__ stands before it";
}

bool lacks_header(const CompilerMessage& message) {
  return message.text.find("cannot open source file") != std::string::npos;
}

Error failure(nvrtcResult status, const CompileFacts& facts, const FactsRequest& request,
              const std::string& log) {
  const auto first =
      std::find_if(facts.messages.begin(), facts.messages.end(),
                   [](const CompilerMessage& message) { return message.severity == "error"; });
  const bool in_file = first != facts.messages.end() && first->file == request.name;
  if (status == NVRTC_ERROR_COMPILATION && in_file && !lacks_header(*first))
    return make_error(ErrorCode::build_failed,
                      "Line " + std::to_string(first->line) + ": " + first->text + ".", {}, log);
  std::string why = nvrtcGetErrorString(status);
  if (first != facts.messages.end()) why = first->text;
  return make_error(ErrorCode::unsupported,
                    "NVRTC cannot compile this file by itself: " + why + ".",
                    "The figures come with the next build.", log);
}

void add_kernels(CompileFacts& facts, const std::string& log, const DeviceSource& source,
                 const Program& program) {
  std::map<std::string, const LaunchSite*> launches;
  for (const LaunchSite& launch : source.launches)
    launches.emplace(program.demangled(launch.kernel), &launch);
  for (KernelReport& report : parse_ptxas_report(log)) {
    DraftKernel kernel{.report = std::move(report)};
    if (const auto launch = launches.find(kernel.report.kernel); launch != launches.end()) {
      kernel.block_threads = launch->second->block_threads;
      kernel.dynamic_shared_bytes = launch->second->dynamic_shared_bytes;
    }
    facts.kernels.push_back(std::move(kernel));
  }
}

}  // namespace

CompileFacts compile(const FactsRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  CompileFacts facts{.number = request.number, .compute_capability = request.compute_capability};
  const DeviceSource source = device_source(request.source, request.contract);
  facts.left_out = source.undetermined;
  Program program(request, source);
  const nvrtcResult status = program.compile(options_of(request));
  const std::string log = program.log();
  for (CompilerMessage& message : parse_compiler_messages(log)) {
    name_host_functions(message, source);
    facts.messages.push_back(std::move(message));
  }
  if (status == NVRTC_SUCCESS)
    add_kernels(facts, log, source, program);
  else
    facts.error = failure(status, facts, request, log);
  facts.compile_time = std::chrono::steady_clock::now() - begin;
  return facts;
}

}  // namespace klab::compiler
