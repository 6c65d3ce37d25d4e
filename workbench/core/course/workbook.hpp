// Workbook: the learner's own folder, with one kernel file a lab.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"

namespace klab {

/// Where the learner's file of a lab is, whether it exists or not.
std::filesystem::path workbook_file(const Lab& lab);
/// Where the workbook of a repository is.
std::filesystem::path workbook_folder(const std::filesystem::path& root);

/// The learner's file as it stands.
enum class LearnerFile { missing, unchanged, changed };
/// `unchanged` means equal to the flawed kernel, byte by byte.
LearnerFile learner_file(const Lab& lab);

/// The learner's kernel. Where something else lies in its place (a folder, a link that leads
/// nowhere, a file that may not be read), the error says so, and how to begin anew.
Result<std::string> read_learner_file(const Lab& lab);

/// Copies the flawed kernel to the workbook. Existing work is never touched: then the answer is
/// false. Errors: ErrorCode::io.
Result<bool> start_lab(const Lab& lab);

/// Puts the flawed kernel back and returns where the learner's version was kept
/// (workbook/kept/02_coalescing.<date>.cu); what cannot be read is kept there as it is. Errors:
/// ErrorCode::not_started, ErrorCode::io; on an error the learner's file is as it was.
Result<std::filesystem::path> reset_lab(const Lab& lab);

/// Writes `source` as the learner's file, after keeping what is there as reset_lab() does. The
/// answer is the kept copy, empty if there was nothing to keep.
Result<std::filesystem::path> replace_learner_file(const Lab& lab, const std::string& source);

/// Keeps another version of the lab's kernel where reset_lab() keeps the learner's. Errors:
/// ErrorCode::io.
Result<std::filesystem::path> put_aside(const Lab& lab, const std::string& source);

/// Whether a kernel file or a journal is there: what a program is told to write must not take its
/// place.
bool is_own_work(const std::filesystem::path& file);

/// Whether files can be made in the workbook; the error says why not.
Result<> probe_workbook(const std::filesystem::path& root);

}  // namespace klab
