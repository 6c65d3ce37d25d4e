// The parts come from CMake; the commit is looked up at each build.
#include "cli/main/version.hpp"

#include <string_view>

namespace klab::cli {

/// Defined in a generated file; empty where git could not tell.
extern const char* const commit;

std::string version_text() {
  const std::string_view built_from = commit, toolkit = KLAB_TOOLKIT;
  std::string text = "klab " KLAB_VERSION ", ";
  text += built_from.empty() ? "from no known commit" : "commit " + std::string(built_from);
  text += toolkit.empty() ? "\nbuilt without a CUDA toolkit"
                          : "\nbuilt with CUDA " KLAB_TOOLKIT
                            "; machine code for compute capability " KLAB_MACHINE_CODE
                            ", PTX for " KLAB_PTX;
  return text;
}

}  // namespace klab::cli
