// The journal's file: locking, torn lines, appending and reading. Its JSON is in json.cpp.
#include "core/journal/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

namespace klab {
namespace {

/// A journal is a few kilobytes an attempt; more than this is not one.
constexpr std::size_t longest_journal_bytes = 256u << 20;

/// The open, locked journal; unlocks and closes when it goes.
class LockedFile {
 public:
  explicit LockedFile(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (file_.get() < 0 || ::flock(file_.get(), LOCK_EX) != 0) failure_ = errno;
  }
  int number() const { return file_.get(); }
  int failure() const { return failure_; }

 private:
  Descriptor file_;
  int failure_ = 0;
};

/// The number of the last entry that can be read, 0 if there is none.
std::int64_t last_number(std::string_view text) {
  while (!text.empty()) {
    text.remove_suffix(1);  // the newline that ends the line
    const std::size_t start = text.rfind('\n') + 1;
    const std::string_view line = text.substr(start);
    if (line.size() <= longest_journal_line_bytes)
      if (const auto entry = decode_journal_entry(line)) return entry->number;
    text = text.substr(0, start);
  }
  return 0;
}

/// Appends all of `line` or nothing; 0 or the errno.
int append_all(int file, std::string_view line, off_t size_before) {
  std::size_t done = 0;
  int failure = 0;
  while (done < line.size() && failure == 0) {
    const ssize_t count = ::write(file, line.data() + done, line.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0 || errno != EINTR)
      failure = count == 0 ? ENOSPC : errno;
  }
  if (failure == 0 && ::fsync(file) != 0) failure = errno;
  if (failure != 0 && ::ftruncate(file, size_before) != 0) return failure;
  return failure;
}

}  // namespace

bool is_learners_attempt(const JournalEntry& entry) {
  return entry.kind == JournalEntry::Kind::attempt && entry.variant == VariantName::mine;
}

Journal::Journal(std::filesystem::path folder) : path_(std::move(folder) / "journal.jsonl") {}

Result<std::int64_t> Journal::append(JournalEntry entry, JournalEntry* written) const {
  if (auto made = make_folder(path_.parent_path()); !made) return made.error();
  const LockedFile file(path_);
  if (file.failure() != 0) return io_error("write", path_, file.failure());
  auto text = read_file(path_, longest_journal_bytes);
  if (!text) return text.error();
  if (!text->empty() && text->back() != '\n') {
    const std::size_t start = text->rfind('\n') + 1;
    const std::filesystem::path torn = path_.string() + ".torn-" + now_for_file_name();
    if (auto kept = write_file(torn, text->substr(start)); !kept) return kept.error();
    if (::ftruncate(file.number(), static_cast<off_t>(start)) != 0)
      return io_error("write", path_, errno);
    text->resize(start);
  }
  // A journal that was tampered with may end with the last number there is: then two entries share
  // it, and both can be read.
  entry.number = std::min(last_number(*text) + 1, most_journal_number);
  if (entry.date.empty()) entry.date = now_utc();
  if (entry.source && entry.source->size() > longest_kept_source_bytes) entry.source.reset();
  const int failure =
      append_all(file.number(), encode(entry) + "\n", static_cast<off_t>(text->size()));
  if (failure != 0) return io_error("write", path_, failure);
  const std::int64_t number = entry.number;
  if (written != nullptr) *written = std::move(entry);
  return number;
}

std::optional<Error> unreadable_lines(const std::vector<std::string>& problems) {
  if (problems.empty()) return std::nullopt;
  const char* lines = problems.size() == 1 ? " line" : " lines";
  return make_error(ErrorCode::io,
                    std::to_string(problems.size()) + lines + " of the journal cannot be read. " +
                        problems.front(),
                    "Everything else in it is intact; remove the line if it is of no use.");
}

Result<JournalContents> Journal::read() const {
  JournalContents contents;
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return contents;
  const auto text = read_file(path_, longest_journal_bytes);
  if (!text) return text.error();
  std::string_view rest = *text;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty()) continue;
    const std::string where = path_.filename().string() + ":" + std::to_string(line_number) + ": ";
    if (line.size() > longest_journal_line_bytes) {
      contents.problems.push_back(where + "the line is too long and was skipped.");
    } else if (auto entry = decode_journal_entry(line)) {
      contents.entries.push_back(std::move(*entry));
    } else {
      contents.problems.push_back(where + entry.error().what + " It was skipped.");
    }
  }
  return contents;
}

JournalEntry attempt_entry(const CheckResult& result, std::string source,
                           std::vector<int> predictions) {
  JournalEntry entry;
  entry.kind = JournalEntry::Kind::attempt;
  entry.date = result.date;
  entry.lab = result.lab;
  entry.variant = result.variant;
  entry.backend = result.backend;
  entry.verdict = result.verdict;
  entry.conclusion = result.conclusion;
  entry.ratio = result.timing.ratio;
  // Of the source itself: a result whose build failed has none.
  entry.source_digest = sha256(source);
  entry.seed = result.seed;
  entry.source = std::move(source);
  entry.device = result.device.name;
  entry.answers = std::move(predictions);
  for (const Gate& gate : result.gates)
    entry.gates.push_back({.name = gate.name,
                           .subject = gate.subject,
                           .outcome = gate.outcome,
                           .measured = gate.measured,
                           .target = gate.target,
                           .unit = gate.unit,
                           .source = gate.source});
  for (const RungResult& rung : result.rungs)
    if (rung.outcome == Outcome::pass) entry.reached.push_back(rung.name);
  entry.score = result.score;
  if (const auto flawed = result.counters.find(VariantName::flawed);
      flawed != result.counters.end())
    for (const Gate& gate : result.gates)
      if (const auto value = flawed->second.find(gate.subject);
          gate.name == GateName::cause && value != flawed->second.end() && value->second.value)
        entry.flawed[gate.subject] = *value->second.value;
  return entry;
}

Result<JournalEntry> note_entry(const std::string& lab, std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return make_error(ErrorCode::usage, "The note is empty.", "Write what you want to remember.");
  text = text.substr(first, text.find_last_not_of(blanks) + 1 - first);
  if (text.size() > longest_note_bytes)
    return make_error(ErrorCode::usage,
                      "The note is longer than " + std::to_string(longest_note_bytes) + " bytes.",
                      "Split it into several notes.");
  return JournalEntry{.kind = JournalEntry::Kind::note, .lab = lab, .text = printable(text)};
}

Result<JournalEntry> find_entry(const std::vector<JournalEntry>& entries, std::int64_t number) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [number](const auto& entry) { return entry.number == number; });
  if (found != entries.end()) return *found;
  return make_error(ErrorCode::usage, "The journal has no entry " + std::to_string(number) + ".",
                    "Run " + Act{Verb::journal} + " to see the numbers.");
}

Result<std::string> source_of(const JournalEntry& entry) {
  if (entry.source && sha256(*entry.source) == entry.source_digest) return *entry.source;
  return make_error(
      ErrorCode::usage,
      "Entry " + std::to_string(entry.number) + " holds no source that could be restored.",
      "Choose an attempt; " + Act{Verb::journal} + " shows which entries are attempts.");
}

}  // namespace klab
