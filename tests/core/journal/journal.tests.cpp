// The journal survives crashes, strangers' lines and full disks.
#include "core/journal/journal.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>

#include "core/base/sha256.hpp"
#include "core/journal/progress.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {
JournalEntry attempt(Outcome verdict, const VariantName& variant = VariantName::mine) {
  JournalEntry entry;
  entry.lab = "02-coalescing";
  entry.variant = variant;
  entry.backend = Backend::gpu;
  entry.verdict = verdict;
  entry.conclusion = "It is right, but \"slow\"\n→ and here.";
  entry.ratio = Interval{7.96, 7.94, 7.98};
  entry.source = "int x;\n// ünïcödé\n";
  entry.seed = 18446744073709551615ull;
  entry.answers = {1, -1};
  entry.gates = {{.name = GateName::cause,
                  .subject = "global_load_sectors_per_request",
                  .outcome = Outcome::fail,
                  .measured = 31.9,
                  .target = target_from("<= 4.5"),
                  .unit = "sectors",
                  .source = Source::measured},
                 {.name = GateName::time, .subject = "speedup"}};
  entry.reached = {"coalesced", "as fast as a copy"};
  entry.score = 87.25;
  return entry;
}
}  // namespace

TEST_CASE("a source comes back byte by byte, whatever its bytes", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const std::string sources[] = {"// caf\xE9 in Latin-1\r\n\f", every_byte, "// € 漢 😀\n", ""};
  for (const std::string& source : sources) {
    JournalEntry entry = attempt(Outcome::fail);
    entry.source = source;
    entry.source_digest = sha256(source);
    REQUIRE(journal.append(entry));
    const auto contents = journal.read();
    REQUIRE(contents);
    const auto restored = source_of(contents->entries.back());
    REQUIRE(restored);
    CHECK(*restored == source);
  }
}

TEST_CASE("an entry comes back as it was written", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  CHECK(journal.read()->entries.empty());
  REQUIRE(*journal.append(attempt(Outcome::fail)) == 1);
  REQUIRE(*journal.append(attempt(Outcome::pass)) == 2);
  const auto contents = journal.read();
  REQUIRE(contents);
  CHECK(contents->problems.empty());
  REQUIRE(contents->entries.size() == 2);
  const JournalEntry& entry = contents->entries[1];
  const JournalEntry wanted = attempt(Outcome::pass);
  CHECK(entry.number == 2);
  CHECK(entry.date.size() == 20);
  CHECK(entry.verdict == Outcome::pass);
  CHECK(entry.conclusion == wanted.conclusion);
  CHECK(entry.source == wanted.source);
  CHECK(entry.seed == wanted.seed);
  CHECK(entry.answers == wanted.answers);
  REQUIRE(entry.ratio);
  CHECK(entry.ratio->low == 7.94);
  REQUIRE(entry.gates.size() == 2);
  CHECK(entry.gates[0].subject == "global_load_sectors_per_request");
  CHECK(entry.gates[0].outcome == Outcome::fail);
  CHECK(entry.gates[0].measured == 31.9);
  CHECK(format_target(entry.gates[0].target) == "<= 4.5");
  CHECK(entry.gates[0].source == Source::measured);
  CHECK(entry.reached == std::vector<std::string>{"coalesced", "as fast as a copy"});
  CHECK(entry.score == 87.25);
  CHECK_FALSE(entry.gates[1].measured);
  CHECK(entry.gates[1].outcome == Outcome::not_checkable);
}

TEST_CASE("a torn last line is kept aside and nothing else is lost", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  REQUIRE(journal.append(attempt(Outcome::fail)));
  const std::string torn = "{\"kind\":\"attempt\",\"numb";
  folder.write("journal.jsonl", folder.read("journal.jsonl") + torn);

  const auto before = journal.read();
  REQUIRE(before);
  CHECK(before->entries.size() == 1);
  CHECK(before->problems.size() == 1);

  CHECK(*journal.append(attempt(Outcome::pass)) == 2);
  const auto after = journal.read();
  CHECK(after->entries.size() == 2);
  CHECK(after->problems.empty());
  std::vector<std::string> aside;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    if (file.path().filename().string().starts_with("journal.jsonl.torn-"))
      aside.push_back(folder.read(file.path().filename().string()));
  REQUIRE(aside.size() == 1);
  CHECK(aside[0] == torn);
}

TEST_CASE("lines that are not ours are reported by number and skipped", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  REQUIRE(journal.append(attempt(Outcome::fail)));
  folder.write("journal.jsonl",
               folder.read("journal.jsonl") + "not json\n[1,2]\n{\"kind\":\"x\"}\n" +
                   std::string(2u << 20, 'x') + "\n" + std::string(100000, '[') + "\n\xff\xfe\n");
  REQUIRE(*journal.append(attempt(Outcome::pass)) == 2);
  const auto contents = journal.read();
  REQUIRE(contents);
  CHECK(contents->entries.size() == 2);
  CHECK(contents->problems.size() == 6);
  CHECK(contents->problems[0].starts_with("journal.jsonl:2: "));
}

TEST_CASE("numbers of the wrong kind in a line do no harm", "[core][journal]") {
  for (const std::string line :
       {R"({"kind":"hint","number":1,"lab":"x","hint":99999999999999})",
        R"({"kind":"attempt","number":1,"lab":"x","ratio":{"median":"7"},"answers":[1e300,"a"]})",
        R"({"kind":"note","number":1,"lab":"x","of":-1,"text":7,"gates":[7,{"name":"a"},[],{}]})",
        R"({"kind":"attempt","number":1,"lab":"x","seed":-4,"verdict":"great","source":7})"}) {
    const auto entry = decode_journal_entry(line);
    CAPTURE(line);
    REQUIRE(entry);
    CHECK_FALSE(entry->hint);
    CHECK_FALSE(entry->ratio);
    CHECK_FALSE(entry->seed);
    CHECK_FALSE(entry->verdict);
    CHECK_FALSE(entry->source);
    CHECK_FALSE(entry->of);
    CHECK(entry->gates.empty());
    CHECK(entry->text.empty());
  }
  CHECK_FALSE(decode_journal_entry(R"({"kind":"hint","number":-1,"lab":"x"})"));
}

TEST_CASE("a source that is too long is left out, not the attempt", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  JournalEntry entry = attempt(Outcome::fail);
  entry.source = std::string(longest_kept_source_bytes + 1, 'x');
  REQUIRE(journal.append(entry));
  const auto contents = journal.read();
  REQUIRE(contents->entries.size() == 1);
  CHECK_FALSE(contents->entries[0].source);
}

TEST_CASE("a disk that fills while appending leaves the journal as it was", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  REQUIRE(journal.append(attempt(Outcome::fail)));
  const std::string before = folder.read("journal.jsonl");
  // In a child, because a limit on the size of files holds for a whole process.
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 10, before.size() + 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto appended = journal.append(attempt(Outcome::pass));
    ::_exit(!appended && appended.error().code == ErrorCode::io ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(folder.read("journal.jsonl") == before);
}

TEST_CASE("several programs may append at once", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int j = 0; j < 10; ++j)
        if (!journal.append(attempt(Outcome::fail))) ::_exit(1);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const auto contents = journal.read();
  REQUIRE(contents->entries.size() == 40);
  for (std::size_t i = 0; i < 40; ++i)
    CHECK(contents->entries[i].number == static_cast<std::int64_t>(i) + 1);
}

TEST_CASE("a note keeps the learner's words", "[core][journal]") {
  const TemporaryFolder folder;
  const Journal journal(folder.path());
  const auto note = note_entry("02-coalescing", "  Rows → columns.\n\"Quoted\" \033[2J\n\n");
  REQUIRE(note);
  JournalEntry written;
  REQUIRE(journal.append(*note, &written));
  CHECK(written.number == 1);
  CHECK(written.date.size() == 20);
  const auto entries = journal.read()->entries;
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].kind == JournalEntry::Kind::note);
  CHECK(entries[0].text == "Rows → columns.\n\"Quoted\" [2J");
  CHECK(progress_of("02-coalescing", true, entries).status == LabStatus::started);
}

TEST_CASE("a note without words or beyond all measure is refused", "[core][journal]") {
  CHECK(note_entry("x", " \n\t ").error().code == ErrorCode::usage);
  CHECK(note_entry("x", std::string(longest_note_bytes + 1, 'x')).error().code == ErrorCode::usage);
  CHECK(note_entry("x", std::string(longest_note_bytes, 'x')));
}

TEST_CASE("a source is given back only if its digest proves it", "[core][journal]") {
  JournalEntry entry = attempt(Outcome::fail);
  CHECK_FALSE(source_of(entry));
  entry.source_digest = sha256(*entry.source);
  CHECK(*source_of(entry) == *entry.source);
  entry.source.reset();
  CHECK(source_of(entry).error().code == ErrorCode::usage);
}

TEST_CASE("after an entry with an impossible or the last number the next one can be read",
          "[core][journal]") {
  for (const std::string number :
       {"9223372036854775807", "9223372036854775806", "18446744073709551615", "1000000000"}) {
    CAPTURE(number);
    const TemporaryFolder folder;
    const Journal journal(folder.path());
    REQUIRE(journal.append({.kind = JournalEntry::Kind::started, .lab = "02-coalescing"}));
    std::ofstream(journal.path(), std::ios::app)
        << R"({"kind":"note","number":)" << number << R"(,"lab":"02-coalescing","text":"x"})"
        << "\n";
    for (int i = 0; i < 2; ++i) {
      const auto appended =
          journal.append({.kind = JournalEntry::Kind::reset, .lab = "02-coalescing"});
      REQUIRE(appended);
      const auto contents = journal.read();
      REQUIRE(contents);
      CHECK(contents->entries.back().kind == JournalEntry::Kind::reset);
      CHECK(contents->entries.back().number == *appended);
    }
  }
}

TEST_CASE("a line of very many small values is read in time that grows with its length",
          "[core][journal]") {
  std::string line = R"({"kind":"attempt","number":1,"lab":"02-coalescing","gates":[{})";
  for (int i = 0; i < 300'000; ++i) line += ",{}";
  const auto entry = decode_journal_entry(line + "]}");
  REQUIRE(entry);
  CHECK(entry->gates.empty());
}

TEST_CASE("what to try may be told after the first hint, a pass or a look at the solution",
          "[core][journal]") {
  CHECK_FALSE(LabProgress{}.advice_open());
  CHECK_FALSE(LabProgress{.status = LabStatus::failing, .attempts = 3}.advice_open());
  CHECK(LabProgress{.hints_shown = 1}.advice_open());
  CHECK(LabProgress{.status = LabStatus::passed}.advice_open());
  CHECK(LabProgress{.solution_shown = true}.advice_open());
}
