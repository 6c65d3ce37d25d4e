// sim: any program built with `nvcc -cudart shared`, on the simulated GPU.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/measure/format.hpp"
#include "core/process/child.hpp"
#include "core/process/process.hpp"
#include "core/verdict/finding_kind.hpp"

namespace klab::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* how_to_build =
    "Build it with `nvcc -cudart shared -lineinfo -o NAME FILE.cu`.";

/// The program as a file: as given if it names a path, else as found on PATH.
Result<fs::path> program_file(const std::string& name) {
  const auto found =
      name.find('/') == std::string::npos ? programs_called(name) : std::vector<fs::path>();
  const fs::path here = found.empty() ? fs::path(name) : found.front();
  std::error_code ignored;
  if (fs::is_directory(here, ignored))
    return make_error(ErrorCode::usage, name + " is a folder, not a program.",
                      "Give the path of a program. " + std::string(how_to_build));
  if (!fs::is_regular_file(here, ignored))
    return make_error(ErrorCode::usage, "There is no program " + name + ".",
                      "Give the path of a program. " + std::string(how_to_build));
  if (::access(here.c_str(), X_OK) != 0)
    return make_error(
        ErrorCode::usage, name + " is not a program.",
        here.extension() == ".cu" ? how_to_build : "Make it executable, or give another path.");
  return fs::absolute(here);
}

/// Why the program cannot use another CUDA runtime; empty if it can.
std::string why_not(const fs::path& program) {
  const auto image = read_file(program);
  if (!image || !image->starts_with("\x7f"
                                    "ELF"))
    return {};
  const auto holds = [&](std::string_view text) { return image->find(text) != std::string::npos; };
  using namespace std::string_view_literals;
  if (holds("\0libasan.so."sv))
    return "was built with -fsanitize=address, whose library lets none be loaded in front of it";
  if (!holds(".nv_fatbin") || holds("libcudart.so.13")) return {};
  if (holds("libcudart.so."))
    return "was built with another CUDA version than 13, whose runtime the simulator stands in for";
  return "holds CUDA's runtime itself, so that the simulator cannot take its place";
}

/// A library that runs on a GPU past CUDA's runtime, and how the names of its calls begin.
struct Library {
  std::string_view file, calls;
};
constexpr Library libraries[] = {
    {"libcublas.so.", "cublas"}, {"libcublasLt.so.", "cublasLt"}, {"libcufft.so.", "cufft"},
    {"libcurand.so.", "curand"}, {"libcusparse.so.", "cusparse"}, {"libcusolver.so.", "cusolver"},
    {"libcudnn.so.", "cudnn"},   {"libnccl.so.", "nccl"},         {"libcuda.so.", "cu"},
};

/// The first call into the library that the program names; empty if there is none, also where it
/// was only linked.
std::string call_into(const std::string& image, const Library& library) {
  if (image.find(library.file) == std::string::npos) return {};
  const std::string begin = '\0' + std::string(library.calls);
  for (auto at = image.find(begin); at != std::string::npos; at = image.find(begin, at + 1)) {
    const std::size_t end = image.find('\0', at + 1);
    const std::string name = image.substr(at + 1, end - at - 1);
    const char next = name.size() == library.calls.size() ? '\0' : name[library.calls.size()];
    if (std::isupper(static_cast<unsigned char>(next)) != 0) return name;
  }
  return {};
}

/// What the program calls that the simulator does not stand in for, as the report words it.
Json refused_libraries(const fs::path& program) {
  Json out = Json::array();
  const auto image = read_file(program);
  if (!image || !image->starts_with("\x7f"
                                    "ELF"))
    return out;
  for (const Library& library : libraries) {
    const std::string call = call_into(*image, library);
    if (call.empty()) continue;
    const std::string name(library.file.substr(0, library.file.find('.')));
    out.push_back(
        {{"what", call},
         {"message", "The program calls " + call + ": " + name +
                         " holds machine code and reaches for a GPU by itself, so that its calls "
                         "fail here. Run the program on a GPU, or write this step as a kernel."}});
  }
  return out;
}

/// The environment of the program: ours, with the simulator in the place of CUDA's runtime.
std::vector<std::string> environment_for(const fs::path& library, const fs::path& report,
                                         const SimOptions& options) {
  Json settings = {{"checks", options.check ? "full" : "fast"},
                   // Work that nobody has waited for is then still to come, as it may be on a GPU.
                   {"deferred", options.check},
                   {"unseen_waits", true},
                   {"budget", options.budget},
                   {"threads", options.threads}};
  std::vector<std::string> out;
  std::string folders = library.parent_path().string();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LD_LIBRARY_PATH="))
      folders += ":" + std::string(text.substr(text.find('=') + 1));
    else if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("KLAB_SIM_"))
      out.emplace_back(text);
  }
  out.push_back("LD_LIBRARY_PATH=" + folders);
  out.push_back("LD_PRELOAD=" + library.string());
  out.push_back("KLAB_SIM_REPORT=" + report.string());
  out.push_back("KLAB_SIM_SETTINGS=" + json_text(settings));
  return out;
}

/// How the program ended.
struct Ended {
  int status = 0;  ///< valid if signal == 0
  int signal = 0;
};

/// Runs it with our standard streams; with `json` what it prints goes to standard error.
Result<Ended> run_program(const fs::path& program, const SimOptions& options,
                          std::vector<std::string> environment) {
  std::vector<std::string> command{options.command};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (options.json) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = -1;
  const int problem = posix_spawn(&child, program.c_str(), &actions, nullptr,
                                  exec_pointers(command).data(), exec_pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    return make_error(ErrorCode::io,
                      "Cannot start " + program.string() + ": " + std::strerror(problem) + ".");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return Ended{0, WTERMSIG(status)};
  return Ended{WEXITSTATUS(status), 0};
}

/// What the runtime wrote down while the program ran.
struct Account {
  bool complete = false;  ///< it lived to the end
  Json findings = Json::array();
  Json messages = Json::array();
  Json report = Json::object();
  Json list(const char* name) const { return report.value(name, Json::array()); }
  /// Whether the sentence is that of something refused.
  bool refuses(const Json& message) const {
    const Json refused = list("unsupported");
    return std::any_of(refused.begin(), refused.end(), [&](const Json& entry) {
      return entry.value("message", "") == message.get<std::string>();
    });
  }
  /// Whether a launch was stopped at its budget, and not because it waits for what nobody will do.
  bool ran_out() const {
    return report.value("error", Json::object()).value("name", "") == "cudaErrorLaunchTimeout" &&
           report.value("part", Json::object()).value("deadlocks", 0) == 0;
  }
  /// Whether the program lived to its end without anything of CUDA.
  bool is_idle() const {
    const Json host = report.value("host", Json::object());
    const bool called = std::any_of(host.begin(), host.end(), [](const Json& n) { return n != 0; });
    return complete && !called && messages.empty() && list("kernels").empty();
  }
};
Account read_account(const std::string& text) {
  Account out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const Json line = json_from(text.substr(from, end - from));
    from = end + 1;
    if (!line.is_object()) continue;
    if (line.contains("finding")) out.findings.push_back(line["finding"]);
    if (line.contains("message")) out.messages.push_back(line["message"]);
    if (line.contains("refusal")) out.report["unsupported"].push_back(line["refusal"]);
    if (!line.contains("report")) continue;
    out.complete = true;
    out.report = line["report"];
    out.findings = out.list("findings");
  }
  // Nobody knows which result would be right, and whoever asks may well take any lanes.
  Json told = Json::array();
  for (const Json& finding : out.findings)
    if (const std::string kind = finding.value("kind", "");
        kind != to_string(FindingKind::unsure_lanes) &&
        kind != to_string(FindingKind::unset_variable))
      told.push_back(finding);
  out.findings = std::move(told);
  return out;
}

/// "file:line: message"; what was refused names its place already.
std::string sentence_of(const Json& entry) {
  const std::string file = entry.value("file", ""), message = entry.value("message", "");
  if (file.empty() || !entry.contains("line") || message.starts_with(file)) return message;
  return file + ":" + std::to_string(entry["line"].get<int>()) + ": " + message;
}

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string ratio_of(const Json& counts, const char* units, const char* requests) {
  const double below = counts.value(requests, 0.0);
  return below == 0 ? std::string(missing_text) : format_number(counts.value(units, 0.0) / below);
}

std::string kernel_text(const Context& context, const Json& kernel, const Json& labels) {
  const Json& counts = kernel.at("counts");
  Table table("lrl", 4);
  for (const auto& [name, value] : counts.items())
    if (value.get<double>() != 0)
      table.add({{words(name)},
                 {format_count(value.get<double>())},
                 {labels.value(name, ""), Tone::faint}});
  const auto ratio = [&](const char* what, const char* units, const char* requests) {
    if (counts.value(requests, 0.0) != 0)
      table.add(
          {{what}, {ratio_of(counts, units, requests)}, {labels.value(units, ""), Tone::faint}});
  };
  ratio("threads per instruction", "thread_instructions", "warp_instructions");
  ratio("sectors per global load", "global_load_sectors", "global_load_requests");
  ratio("sectors per global store", "global_store_sectors", "global_store_requests");
  const auto launches = kernel.value("launches", 0);
  return "  " + context.err.paint(Tone::strong, kernel.value("name", "")) + ", " +
         std::to_string(launches) + (launches == 1 ? " launch\n" : " launches\n") +
         table.text(context.err);
}

/// Instructions of the kernel that the simulator lacks, unless one of them stopped it: what ran is
/// right, and other input may reach them.
std::string lacks_text(const Context& context, const Json& kernel, const Json& refused) {
  constexpr std::size_t most = 3;
  const Json lacks = kernel.value("lacks", Json::array());
  const bool stopped = std::any_of(refused.begin(), refused.end(), [&](const Json& entry) {
    return entry.value("kernel", "") == kernel.value("name", "");
  });
  if (lacks.empty() || stopped) return {};
  std::string what;
  for (std::size_t i = 0; i < std::min(lacks.size(), most); ++i) {
    what += (i == 0 ? "" : ", ") + lacks[i].value("what", "");
    if (lacks[i].contains("line"))
      what += " (" + fs::path(lacks[i].value("file", "")).filename().string() + ":" +
              std::to_string(lacks[i].value("line", 0)) + ")";
  }
  if (lacks.size() > most) what += " and " + std::to_string(lacks.size() - most) + " more";
  return paragraph(context.err, "Not reached, and not simulated: " + what + ".", 4, Tone::faint);
}

std::string leaks_text(const Context& context, const Json& leaks) {
  if (leaks.empty()) return {};
  double bytes = 0;
  for (const Json& leak : leaks) bytes += leak.value("bytes", 0.0);
  return paragraph(context.err,
                   "~ Not freed: " + format_count(static_cast<double>(leaks.size())) +
                       (leaks.size() == 1 ? " allocation, " : " allocations, ") +
                       format_count(bytes) + " bytes.",
                   2, Tone::doubtful);
}

std::string account_text(const Context& context, const Account& account, const Ended& ended,
                         bool checks) {
  std::string out = "\n";
  const Json labels = account.report.value("labels", Json::object());
  for (const Json& kernel : account.list("kernels"))
    out += kernel_text(context, kernel, labels) +
           lacks_text(context, kernel, account.list("unsupported"));
  const std::string unwaited = account.report.value("unwaited_kernel", "");
  if (account.complete && account.list("kernels").empty() && unwaited.empty())
    out += "  No kernel ran.\n";
  if (!account.complete && ended.signal == 0)
    out += paragraph(context.err,
                     "~ Nothing was counted: the program left by _exit, became another program, or "
                     "is linked statically.",
                     2, Tone::doubtful);
  const auto sentences = [&](const Json& entries, Tone tone, const char* sign) {
    for (const Json& entry : entries)
      out += paragraph(context.err, sign + sentence_of(entry), 2, tone);
  };
  sentences(account.findings, Tone::bad, "✘ ");
  sentences(account.list("unsupported"), Tone::doubtful, "~ ");
  for (const Json& message : account.messages)
    if (!account.refuses(message))
      out += paragraph(context.err, "~ " + message.get<std::string>(), 2, Tone::doubtful);
  if (account.ran_out())
    out +=
        paragraph(context.err, "~ Use a smaller size, or raise the budget (--budget of klab sim).",
                  2, Tone::doubtful);
  if (!unwaited.empty() && account.findings.empty() && !account.report.contains("error"))
    out += paragraph(context.err,
                     "~ Nothing has waited for kernel " + unwaited +
                         ", which was launched last: where a program ends first, a GPU may not get "
                         "to run it. Call cudaDeviceSynchronize() after it.",
                     2, Tone::doubtful);
  if (checks) out += leaks_text(context, account.list("leaks"));
  if (ended.signal != 0)
    out += paragraph(context.err, "The program was ended by " + describe_signal(ended.signal) + ".",
                     2, Tone::bad);
  else if (ended.status != 0)
    out += paragraph(context.err,
                     "The program ended with status " + std::to_string(ended.status) + ".", 2,
                     Tone::doubtful);
  return out;
}

int exit_of(const Account& account, const Ended& ended) {
  if (!account.list("unsupported").empty()) return exit_not_checkable;
  // A program that asks for no error ends well behind a kernel that was stopped.
  const bool faulted = account.report.contains("error");
  return account.findings.empty() && !faulted && ended.signal == 0 && ended.status == 0
             ? exit_ok
             : exit_failed;
}

Json json_of(const Account& account, const Ended& ended) {
  Json out = account.report;
  out["findings"] = account.findings;
  out["messages"] = account.messages;
  out["complete"] = account.complete;
  if (ended.signal != 0)
    out["signal"] = ended.signal;
  else
    out["status"] = ended.status;
  return out;
}

Result<std::pair<Account, Ended>> simulate(const Context& context, const SimOptions& options) {
  const auto program = program_file(options.command.front());
  if (!program) return program.error();
  if (const std::string why = why_not(*program); !why.empty())
    return make_error(ErrorCode::usage, options.command.front() + " " + why + ".", how_to_build);
  const fs::path library = context.tree.build / "simulator" / "libcudart.so.13";
  std::error_code ignored;
  if (!fs::exists(library, ignored))
    return make_error(ErrorCode::runner_failed, "The simulator is not built.",
                      "Run `./klab --setup`.");
  std::string report = (fs::temp_directory_path(ignored) / "klab-sim-XXXXXX").string();
  const int descriptor = ::mkstemp(report.data());
  if (descriptor < 0) return io_error("write", report, errno);
  ::close(descriptor);
  const auto ended = run_program(*program, options, environment_for(library, report, options));
  const auto text = read_file(report);
  fs::remove(report, ignored);
  if (!ended) return ended.error();
  Account account = read_account(text ? *text : std::string());
  for (Json& library : refused_libraries(*program))
    account.report["unsupported"].push_back(std::move(library));
  return std::pair(std::move(account), *ended);
}

}  // namespace

int sim(const Context& context, const SimOptions& options) {
  const auto done = simulate(context, options);
  if (!done) return fail(context, done.error(), options.json);
  const auto& [account, ended] = *done;
  if (account.is_idle() && account.list("unsupported").empty())
    warn(context,
         make_error(ErrorCode::usage, options.command.front() + " did not use CUDA's runtime.",
                    "The simulator sees programs that load it. " + std::string(how_to_build)));
  if (options.json)
    print(json_text(json_of(account, ended), 2) + "\n");
  else
    std::fputs(account_text(context, account, ended, options.check).c_str(), stderr);
  return exit_of(account, ended);
}

}  // namespace klab::cli
