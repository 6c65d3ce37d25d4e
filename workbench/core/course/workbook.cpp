// Starting, resetting and replacing the learner's files; nothing here ever loses work.
#include "core/course/workbook.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/files.hpp"
#include "core/base/text.hpp"

namespace klab {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  // symlink_status: a dangling link is the learner's work too.
  return fs::exists(fs::symlink_status(path, ignored));
}

/// Puts aside what lies in the place of a file and cannot be read as one, as it is.
Result<fs::path> keep_itself(const fs::path& present, const fs::path& kept) {
  if (auto made = make_folder(kept.parent_path()); !made) return made.error();
  std::error_code failure;
  fs::rename(present, kept, failure);
  if (failure) return io_error("put aside", present, failure.value());
  return kept;
}

/// A name in workbook/kept/ that is not taken.
fs::path free_name(const Lab& lab) {
  const fs::path folder = workbook_folder(lab.root) / "kept";
  const std::string stem = lab.folder + "." + now_for_file_name();
  fs::path copy = folder / (stem + ".cu");
  for (int again = 2; is_there(copy) && again < 100; ++again)
    copy = folder / (stem + "-" + std::to_string(again) + ".cu");
  return copy;
}

/// Copies the learner's file to workbook/kept/.
Result<fs::path> keep_copy(const Lab& lab) {
  const fs::path copy = free_name(lab);
  const auto mine = read_file(workbook_file(lab));
  if (!mine) return keep_itself(workbook_file(lab), copy);
  if (auto kept = write_new_file(copy, *mine); !kept) return kept.error();
  return copy;
}

}  // namespace

fs::path workbook_folder(const fs::path& root) { return root / "workbook"; }

fs::path workbook_file(const Lab& lab) { return workbook_folder(lab.root) / (lab.folder + ".cu"); }

LearnerFile learner_file(const Lab& lab) {
  if (!is_there(workbook_file(lab))) return LearnerFile::missing;
  const auto mine = read_file(workbook_file(lab));
  const auto flawed = read_file(lab.flawed());
  return mine && flawed && *mine == *flawed ? LearnerFile::unchanged : LearnerFile::changed;
}

Result<std::string> read_learner_file(const Lab& lab) {
  const fs::path path = workbook_file(lab);
  auto mine = read_file(path);
  if (mine) return mine;
  Error error = mine.error();
  std::error_code none;
  if (const fs::path target = fs::read_symlink(path, none); !none && !fs::exists(path, none))
    error.what = path.string() + " is a link to " + target.string() + ", which is not there.";
  else if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES)
    return error;  // it needs no other file, but the right to read this one
  error.remedy = Advice("Put the kernel file back, or run ") + Act{Verb::reset, lab.slug} +
                 ", which begins anew and keeps what lies there in workbook/kept.";
  return error;
}

Result<bool> start_lab(const Lab& lab) {
  if (is_there(workbook_file(lab))) return false;
  auto flawed = read_file(lab.flawed());
  if (!flawed) return flawed.error();
  if (auto written = write_new_file(workbook_file(lab), *flawed); !written) return written.error();
  return true;
}

Result<fs::path> replace_learner_file(const Lab& lab, const std::string& source) {
  fs::path copy;
  if (is_there(workbook_file(lab))) {
    auto kept = keep_copy(lab);
    if (!kept) return kept.error();
    copy = *kept;
  }
  if (auto written = write_file(workbook_file(lab), source); !written) return written.error();
  return copy;
}

Result<fs::path> put_aside(const Lab& lab, const std::string& source) {
  const fs::path copy = free_name(lab);
  if (auto kept = write_new_file(copy, source); !kept) return kept.error();
  return copy;
}

Result<fs::path> reset_lab(const Lab& lab) {
  if (!is_there(workbook_file(lab)))
    return make_error(ErrorCode::not_started,
                      lab.id + " is not started, so there is nothing to reset.",
                      "Run " + Act{Verb::start, lab.slug} + ".");
  auto flawed = read_file(lab.flawed());
  if (!flawed) return flawed.error();
  return replace_learner_file(lab, *flawed);
}

bool is_own_work(const fs::path& file) {
  std::error_code missing;
  const fs::path there = fs::canonical(file, missing);
  return !missing && (there.extension() == ".cu" || there.extension() == ".cuh" ||
                      there.filename() == "journal.jsonl");
}

Result<> probe_workbook(const fs::path& root) {
  // Always the same name: what a killed probe leaves goes with the next one.
  const fs::path probe = workbook_folder(root) / ".probe";
  auto written = write_file(probe, "probe\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
  return written;
}

}  // namespace klab
