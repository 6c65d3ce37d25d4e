// The closed list of errors with a remedy for each.
#include "core/base/result.hpp"

namespace klab {
namespace {

struct Entry {
  ErrorCode code;
  std::string_view name;
  Advice remedy;
};

const std::vector<Entry>& code_entries() {
  static const std::vector<Entry> entries = {
      Entry{ErrorCode::usage, "usage",
            "Run " + Act{Verb::help} + " for the verbs and " + Act{Verb::list_labs} +
                " for the labs."},
      Entry{ErrorCode::bad_lab, "bad_lab",
            "Correct the named key in lab.toml; docs/adding-a-lab.md describes every key."},
      Entry{ErrorCode::not_started, "not_started",
            Act{Verb::start} + Advice(" copies the flawed kernel into workbook/.")},
      Entry{ErrorCode::io, "io", "Check that the folder exists, is writable and has free space."},
      Entry{ErrorCode::no_toolkit, "no_toolkit",
            "Install the CUDA 13 toolkit, or run " + Act{Verb::build} +
                ", which brings NVIDIA's toolkit wheels into the build tree."},
      Entry{ErrorCode::build_failed, "build_failed",
            "Correct the first message of the compiler and save again."},
      Entry{ErrorCode::bad_plugin, "bad_plugin",
            "Keep the function `extern \"C\" void launch(const Args&, cudaStream_t)` that "
            "contract.cuh declares."},
      Entry{ErrorCode::no_device, "no_device",
            "The simulator (" + Act{Verb::simulate} +
                ") checks correctness and cause by counting; time needs a CUDA GPU."},
      Entry{ErrorCode::driver_too_old, "driver_too_old",
            "Install an NVIDIA driver of version 580 or newer, or use the simulator (" +
                Act{Verb::simulate} + ")."},
      Entry{
          ErrorCode::launch_failed, "launch_failed",
          "Check grid and block sizes, shared memory and registers per block against the device's "
          "limits."},
      Entry{ErrorCode::device_fault, "device_fault",
            "Run the same kernel under compute-sanitizer to see the line, and check the bounds of "
            "every index."},
      Entry{ErrorCode::hang, "hang",
            "Look for a loop that never ends, or a barrier that not every thread of the block "
            "reaches."},
      Entry{ErrorCode::too_slow, "too_slow",
            "Check it on a machine with a GPU; or launch fewer threads or have each take fewer "
            "steps, where that is what slows it down."},
      Entry{ErrorCode::crash, "crash",
            "Look at the host code in `launch`: it must not use null or device pointers."},
      Entry{
          ErrorCode::out_of_memory, "out_of_memory",
          "Close other programs that use the GPU's memory, or take a smaller size, and try again. "
          "On the simulator it is this machine's memory, as far as `ulimit -v` and `ulimit -f` "
          "allow."},
      Entry{
          ErrorCode::profiler_denied, "profiler_denied",
          "On the GPU's host, as root: put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` "
          "into "
          "/etc/modprobe.d/klab.conf, rebuild the initramfs and reboot; or run as root, in a "
          "container with "
          "--cap-add=SYS_ADMIN. The other gates go on without it."},
      Entry{ErrorCode::profiler_busy, "profiler_busy",
            "Another program holds the counters: end it, or pause DCGM with `dcgmi profile "
            "--pause`."},
      Entry{ErrorCode::profiler_attached, "profiler_attached",
            "Run klab outside of nsys, ncu, cuda-gdb and compute-sanitizer to collect its own "
            "counters."},
      Entry{ErrorCode::profiler_unsupported, "profiler_unsupported",
            "Counters are not available on this device or configuration; the other gates go on "
            "without them."},
      Entry{ErrorCode::protocol_mismatch, "protocol_mismatch",
            "Run " + Act{Verb::build} + " again to rebuild runner and workbench together."},
      Entry{ErrorCode::runner_failed, "runner_failed",
            "Look at " + Act{Verb::doctor} + "; if it finds nothing, check again."},
      Entry{ErrorCode::no_runner, "no_runner",
            "Run the command given with --runner (or KLAB_RUNNER) in a terminal, with `--remote` "
            "added: it must print a line with \"hello\" and ask for nothing."},
      Entry{ErrorCode::unsupported, "unsupported",
            "Run this kernel on a GPU; docs/simulator-opcodes.md lists what the simulator can "
            "execute."},
      Entry{ErrorCode::canceled, "canceled", "Start it again when you want its result."},
  };
  return entries;
}

}  // namespace

std::string_view to_string(ErrorCode code) {
  for (const Entry& entry : code_entries())
    if (entry.code == code) return entry.name;
  return "unknown";
}

ErrorCode error_code_from(std::string_view name) {
  for (const Entry& entry : code_entries())
    if (entry.name == name) return entry.code;
  return ErrorCode::runner_failed;
}

const Advice& default_remedy(ErrorCode code) {
  static const Advice none;
  for (const Entry& entry : code_entries())
    if (entry.code == code) return entry.remedy;
  return none;
}

const std::vector<ErrorCode>& all_error_codes() {
  static const std::vector<ErrorCode> codes = [] {
    std::vector<ErrorCode> list;
    for (const Entry& entry : code_entries()) list.push_back(entry.code);
    return list;
  }();
  return codes;
}

Error make_error(ErrorCode code, std::string what, Advice remedy, std::string detail) {
  if (remedy.empty()) remedy = default_remedy(code);
  return {code, std::move(what), std::move(remedy), std::move(detail)};
}

Error no_driver() {
  return make_error(ErrorCode::no_device, "No NVIDIA driver is loaded on this machine.");
}

}  // namespace klab
