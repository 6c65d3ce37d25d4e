// Conduct: whether a kernel of the course did what it is there for: the flawed one shows its flaw,
// the optimized one passes, and each of the gallery is rejected by the gate that it names.
#pragma once

#include "core/admission/structure.hpp"
#include "core/build/toolchain.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// What a check of `variant` says of the lab.
struct Conduct {
  Faults faults;       ///< why it is not what it should be
  std::string beyond;  ///< what only a GPU could show; then nothing is proven here
};
Conduct conduct_of(const Lab& lab, const Variant& variant, const CheckResult& result);

/// Whether a kernel must pass whenever it is checked on a GPU that can check it: the optimized one
/// and the fair ones.
bool must_pass(const Variant& variant);
/// Why a check on a GPU did not end as it has to: in a pass, whatever stretch goals it reached, in
/// a refusal by whichever gate, or in what else the kernel is there for.
Faults faults_on_gpu(const Lab& lab, const Variant& variant, const CheckResult& result);

/// What the compiler alone proves, on every machine: where a lab's cause is the compiler's to
/// report, the flawed kernel shows the flaw and the optimized one does not.
Faults compiler_faults(const Tree& tree, const Toolchain& toolchain, const Lab& lab);
/// Whether the lab has such a cause.
bool compiler_proves(const Lab& lab);

}  // namespace klab
