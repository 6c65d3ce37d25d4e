// The verbs of who keeps the course, as klab has them: klab-course, a program of the same command
// line that nobody else has to build, takes over.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t longest_command_line = 4u << 20;  // more than the system lets a program have

int hand_over(const Context& context) {
  std::error_code ignored;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto program = own.parent_path() / "klab-course";
  auto words = read_file("/proc/self/cmdline", longest_command_line);
  if (!words) return fail(context, words.error());
  std::vector<char*> argv;  // each word ends with a zero
  for (std::size_t at = 0; at < words->size(); at += std::strlen(words->data() + at) + 1)
    argv.push_back(words->data() + at);
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  return fail(context, make_error(ErrorCode::unsupported,
                                  "The program of this verb, " + program.string() +
                                      ", could not be started: " + std::strerror(errno) + ".",
                                  "Run `./klab course --help`, which builds it."));
}

}  // namespace

int course_new(const Context& context, const CourseNewOptions&) { return hand_over(context); }
int course_check(const Context& context, const CourseCheckOptions&) { return hand_over(context); }
int record(const Context& context, const RecordOptions&) { return hand_over(context); }
int repeat(const Context& context, const RepeatOptions&) { return hand_over(context); }
int report(const Context& context, const ReportOptions&) { return hand_over(context); }
int agree(const Context& context, const AgreeOptions&) { return hand_over(context); }
int bench(const Context& context, const BenchOptions&) { return hand_over(context); }

}  // namespace klab::cli
