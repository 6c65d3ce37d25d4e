// A fault at each system call of a verb in turn, by which a file is changed: it fails there, or the
// program is killed there. Nothing of the learner's is lost, and the next start works.
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <csignal>
#include <set>

#include "cli/program.hpp"
#include "core/base/sha256.hpp"
#include "core/journal/journal.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
namespace fs = std::filesystem;

namespace {

const std::string work = "// my own work\nint mine;\n";
const std::string kept_work = "// an earlier attempt\n";

/// A workbook with a kernel and a journal of three entries.
struct Bench {
  Bench() {
    fs::remove_all(klab.folder.path() / "workbook");
    klab.folder.write("workbook/02_coalescing.cu", work);
    for (const char* text : {"first", "second"})
      lines += encode(JournalEntry{.kind = JournalEntry::Kind::note,
                                   .number = ++entries,
                                   .date = "2026-11-21T03:00:00Z",
                                   .lab = "02-coalescing",
                                   .text = text}) +
               "\n";
    lines += attempt_line(++entries, "02-coalescing", "fail", kept_work, sha256(kept_work));
    klab.folder.write("workbook/journal.jsonl", lines);
  }

  /// False if the verb makes fewer calls than `n`; else it was disturbed at that one.
  bool run_with_fault(const std::vector<std::string>& verb, const std::string& fault, int n) {
    const fs::path mark = klab.folder.path() / "mark";
    fs::remove(mark);
    auto result = run_process({.command = klab.with_program(verb),
                               .environment = {{"KLAB_BUILD", klab.build},
                                               {"LD_PRELOAD", KLAB_FAILING_CALLS},
                                               {"KLAB_FAULT", fault + " " + std::to_string(n)},
                                               {"KLAB_FAULT_MARK", mark.string()}}});
    REQUIRE(result);
    run = *result;
    if (!fs::exists(mark)) CHECK(run.exit_code == 0);
    return fs::exists(mark);
  }

  std::string file(const std::string& name) const { return klab.folder.read("workbook/" + name); }
  std::string kernel() const { return file("02_coalescing.cu"); }

  /// What is in workbook/kept.
  std::multiset<std::string> kept() const {
    std::multiset<std::string> texts;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(klab.folder.path() / "workbook/kept", none))
      if (entry.path().extension() == ".cu")
        texts.insert(klab.folder.read(fs::relative(entry.path(), klab.folder.path()).string()));
    return texts;
  }

  /// Entries before the fault are there; an entry after it can be written and read.
  void check_journal() {
    const Journal journal(klab.folder.path() / "workbook");
    CHECK(file("journal.jsonl").starts_with(lines));
    const auto noted = klab.run({"journal", "note", "2", "afterwards"});
    CHECK(noted.exit_code == 0);
    const auto contents = journal.read();
    REQUIRE(contents);
    CHECK(contents->problems.empty());
    CHECK(contents->entries.back().text == "afterwards");
    CHECK(contents->entries.back().number == std::int64_t(contents->entries.size()));
  }

  /// Nothing but the learner's files is left once a verb has gone through.
  void check_no_strays() const {
    for (const auto& entry : fs::recursive_directory_iterator(klab.folder.path() / "workbook")) {
      const std::string name = entry.path().filename().string();
      CAPTURE(name);
      const bool known = name == "kept" || name == "journal.jsonl" || name == ".clangd" ||
                         name.starts_with("journal.jsonl.torn-") || name.ends_with(".cu");
      CHECK(known);
      CHECK_FALSE(name.starts_with(".klab"));
    }
  }

  /// One for all: its course stays as it is.
  static const Program& program() {
    static const Program klab;
    return klab;
  }
  const Program& klab = program();
  std::string lines;
  int entries = 0;
  ProcessResult run;
};

/// Calls `holds(bench)` after a fault at each call of the verb.
template <class Prepare, class Holds>
void sweep(const std::vector<std::string>& verb, Prepare prepare, Holds holds) {
#ifdef __SANITIZE_ADDRESS__
  SKIP("nothing can be preloaded before AddressSanitizer");
#endif
  for (const std::string fault : {"fail", "kill"}) {
    int n = 0;
    for (bool reached = true; reached;) {
      Bench bench;
      prepare(bench);
      reached = bench.run_with_fault(verb, fault, ++n);
      CAPTURE(fault, n, bench.run.exit_code, bench.run.signal, bench.run.err);
      CHECK(bench.run.signal == (reached && fault == "kill" ? SIGKILL : 0));
      holds(bench);
      bench.check_journal();
    }
    CHECK(n > 3);
  }
}

const auto as_it_is = [](const Bench&) {};

}  // namespace

TEST_CASE("a note is in the journal as a whole or not at all, whatever fails", "[cli][faults]") {
  sweep({"journal", "note", "2", "words"}, as_it_is, [](Bench& bench) {
    const std::string added = bench.file("journal.jsonl").substr(bench.lines.size());
    const bool noted = added.ends_with("\n") && decode_journal_entry(added).value().text == "words";
    // A killed writer leaves half a line, which the next one puts aside.
    if (bench.run.signal == 0) CHECK((noted || added.empty()));
    if (bench.run.signal == 0) CHECK((bench.run.exit_code == 0) == noted);
    CHECK(bench.kernel() == work);
  });
}

TEST_CASE("a lab is started with the whole kernel or not at all, whatever fails", "[cli][faults]") {
  sweep(
      {"start", "2"},
      [](const Bench& bench) {
        fs::remove(bench.klab.folder.path() / "workbook/02_coalescing.cu");
      },
      [](Bench& bench) {
        if (bench.run.exit_code == 0 && bench.run.signal == 0)
          CHECK(bench.kernel() == flawed_kernel);
        CHECK((bench.kernel() == flawed_kernel ||
               !fs::exists(bench.klab.folder.path() / "workbook/02_coalescing.cu")));
        CHECK(bench.klab.run({"start", "2"}).exit_code == 0);
        CHECK(bench.kernel() == flawed_kernel);
        bench.check_no_strays();
      });
}

TEST_CASE("a reset keeps the learner's version, whatever fails", "[cli][faults]") {
  sweep({"reset", "2"}, as_it_is, [](Bench& bench) {
    if (bench.run.exit_code == 0 && bench.run.signal == 0) CHECK(bench.kernel() == flawed_kernel);
    CHECK((bench.kernel() == work || bench.kernel() == flawed_kernel));
    if (bench.kernel() != work) CHECK(bench.kept() == std::multiset{work});
    CHECK(bench.klab.run({"reset", "2"}).exit_code == 0);
    CHECK(bench.kernel() == flawed_kernel);
    CHECK(bench.kept().contains(work));
    bench.check_no_strays();
  });
}

TEST_CASE("a restored attempt takes the place of a kernel that is kept, whatever fails",
          "[cli][faults]") {
  sweep({"journal", "restore", "3"}, as_it_is, [](Bench& bench) {
    if (bench.run.exit_code == 0 && bench.run.signal == 0) CHECK(bench.kernel() == kept_work);
    CHECK((bench.kernel() == work || bench.kernel() == kept_work));
    if (bench.kernel() != work) CHECK(bench.kept() == std::multiset{work});
  });
}

TEST_CASE("an export replaces the file of before as a whole or not at all, whatever fails",
          "[cli][faults]") {
  const auto page = [](const Bench& bench) { return bench.klab.folder.path() / "page.md"; };
  sweep(
      {"journal", "export", "--output", page(Bench()).string()},
      [](const Bench& bench) { bench.klab.folder.write("page.md", "before"); },
      [](Bench& bench) {
        const std::string text = bench.klab.folder.read("page.md");
        const bool is_new = text.find("second") != std::string::npos && text.ends_with("\n");
        CHECK((text == "before" || is_new));
        if (bench.run.signal == 0) CHECK((bench.run.exit_code == 0) == is_new);
      });
}

TEST_CASE("a file that may grow no further is told, and the journal stays whole", "[cli][faults]") {
  Bench bench;
  bench.klab.folder.write("workbook/journal.jsonl",
                          bench.lines = bench.lines + std::string(1000, '\n'));
  const auto words = bench.klab.with_program({"journal", "note", "2", std::string(10'000, 'x')});
  std::vector<std::string> limited = {"sh", "-c", "ulimit -f 4; exec \"$@\"", "sh"};
  limited.insert(limited.end(), words.begin(), words.end());
  const auto run = bench.klab.run_command(limited);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, Says("ulimit -f"));
  CHECK(bench.file("journal.jsonl") == bench.lines);
}
