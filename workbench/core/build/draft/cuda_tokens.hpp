// CudaTokens: a kernel file cut into words and signs, for looking at its structure without
// compiling it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace klab {

/// A word (identifier or keyword), a number or text in quotes, or one sign. Comments and
/// preprocessor lines are no tokens.
struct CudaToken {
  enum class Kind { word, literal, sign };
  Kind kind = Kind::sign;
  std::size_t begin = 0, end = 0;  ///< bytes within the file
  std::string_view text;           ///< of the file, which must outlive the token
};

/// Never fails: text that is no C++ gives tokens that make no sense.
std::vector<CudaToken> cuda_tokens(std::string_view file);

/// Index of the sign that closes the one at `open` ("(", "[" or "{"); the number of tokens if none
/// does.
std::size_t closing(const std::vector<CudaToken>& tokens, std::size_t open);
/// The same for "<" of template arguments; the number of tokens if it is no such list.
std::size_t closing_angle(const std::vector<CudaToken>& tokens, std::size_t open);
/// True if "<<<" or ">>>", three of `sign`, begins at `at`.
bool is_triple(const std::vector<CudaToken>& tokens, std::size_t at, std::string_view sign);

}  // namespace klab
