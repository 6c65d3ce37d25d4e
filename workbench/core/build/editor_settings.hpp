// Editor settings: what clangd needs to understand the learner's files.
#pragma once

#include "core/build/toolchain.hpp"
#include "core/course/lab.hpp"

namespace klab {

/// Writes workbook/.clangd, by which clangd finds each lab's contract.cuh and the toolkit. A file
/// of that name that klab did not write is left alone. Errors: ErrorCode::io.
Result<> write_editor_settings(const Tree& tree, const Course& course);

}  // namespace klab
