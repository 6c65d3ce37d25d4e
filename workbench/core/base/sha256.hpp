// SHA-256, for digests of sources: a result is tied to the exact kernel that gave it.
#pragma once

#include <string>
#include <string_view>

namespace klab {

/// 64 lower-case hexadecimal digits. Algorithm: FIPS 180-4, section 6.2.
std::string sha256(std::string_view bytes);

}  // namespace klab
