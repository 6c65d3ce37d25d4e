// RemoteRequest: a request together with the libraries that it needs, for a runner on another
// machine.
//
// The first line tells the time limit and the libraries' sizes and digests, the second line is the
// request, and the libraries' bytes follow one after another. In the request a library is named by
// its place in that row, never by a path: no path of one machine means anything on the other.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// A kernel file or a workload is about a megabyte; more than this is not one of ours.
inline constexpr std::size_t longest_library_bytes = 64u << 20;
inline constexpr std::size_t longest_remote_request_bytes = 256u << 20;
inline constexpr std::size_t most_libraries = 16;

struct RemoteRequest {
  Request request;  ///< its libraries named "0", "1", ...
  double time_limit_s = 0;
  std::vector<std::string> libraries;  ///< their bytes
};

/// What is sent for `request`, with its libraries read from disk. Errors: ErrorCode::io for one
/// that cannot be read or is too long.
Result<std::string> encode_remote_request(const Request& request, double time_limit_s);

/// Errors: ErrorCode::protocol_mismatch for anything else than what encode_remote_request() of this
/// version made, a digest that does not fit included.
Result<RemoteRequest> decode_remote_request(std::string_view bytes);

/// Writes the libraries into `folder` and names them in the request by their paths. Errors:
/// ErrorCode::io.
Result<Request> unpack(const RemoteRequest& remote, const std::filesystem::path& folder);

}  // namespace klab
