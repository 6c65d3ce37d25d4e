// DiagnosisWords: a diagnosis told in the window's words. No ImGui.
#pragma once

#include <string>

#include "core/diagnosis/diagnosis.hpp"

namespace klab::ui {

/// "Limited by device memory", "Cannot be told here".
std::string diagnosis_title(const Diagnosis& diagnosis);

/// What was missing, in one paragraph; empty if nothing was.
std::string lacks_words(const Diagnosis& diagnosis);

}  // namespace klab::ui
