// Packing a request with its libraries, and unpacking one defensively.
#include "core/wire/remote_request.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text/json_text.hpp"

namespace klab {
namespace {

using nlohmann::json;

constexpr double longest_limit_s = 24 * 3600;

Error no_request(const std::string& why) {
  return make_error(ErrorCode::protocol_mismatch, "What arrived is no request: " + why + ".",
                    "Build the same version of Kernel Lab on both machines.");
}

/// The next line of `bytes`, which then begins after it; nullopt if no line ends.
std::optional<std::string_view> take_line(std::string_view& bytes) {
  const std::size_t end = bytes.substr(0, longest_record_bytes).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return line;
}

/// Cuts the libraries off `bytes` as `list` describes them.
Result<std::vector<std::string>> take_libraries(const json& list, std::string_view bytes) {
  if (!list.is_array() || list.size() > most_libraries) return no_request("it lists no libraries");
  std::vector<std::string> libraries;
  for (const json& entry : list) {
    if (!entry.is_object() || !entry.contains("bytes") || !entry["bytes"].is_number_unsigned() ||
        !entry.contains("sha256") || !entry["sha256"].is_string())
      return no_request("a library has no size or no digest");
    const auto size = entry["bytes"].get<std::uint64_t>();
    if (size > longest_library_bytes) return no_request("a library is too long");
    if (size > bytes.size()) return no_request("a library is cut off");
    libraries.emplace_back(bytes.substr(0, size));
    if (entry["sha256"] != nlohmann::json(sha256(libraries.back())))
      return no_request("a library was changed on its way");
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) return no_request("something follows its libraries");
  return libraries;
}

/// The library that a name of the request stands for.
std::optional<std::size_t> place_of(const std::string& name, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (name == std::to_string(i)) return i;
  return std::nullopt;
}

}  // namespace

Result<std::string> encode_remote_request(const Request& request, double time_limit_s) {
  Request sent = request;
  std::vector<std::string> libraries;
  std::map<std::string, std::string> places;
  std::optional<Error> problem;
  const auto pack = [&](std::string& path) {
    if (path.empty() || problem) return;
    if (!places.contains(path)) {
      auto bytes = read_file(path, longest_library_bytes);
      if (!bytes) {
        problem = bytes.error();
        return;
      }
      places[path] = std::to_string(libraries.size());
      libraries.push_back(std::move(*bytes));
    }
    path = places[path];
  };
  pack(sent.workload);
  for (PluginRequest& plugin : sent.plugins) pack(plugin.library);
  if (problem) return *problem;

  json list = json::array();
  for (const std::string& library : libraries)
    list.push_back({{"bytes", library.size()}, {"sha256", sha256(library)}});
  std::string bytes = json_text(json{{"time_limit_s", time_limit_s}, {"libraries", list}}) + "\n" +
                      encode(sent) + "\n";
  for (const std::string& library : libraries) bytes += library;
  return bytes;
}

Result<RemoteRequest> decode_remote_request(std::string_view bytes) {
  const auto head_line = take_line(bytes);
  const auto request_line = take_line(bytes);
  if (!head_line || !request_line) return no_request("its two lines are missing");
  const json head = json_from(*head_line);
  if (!head.is_object() || !head.contains("time_limit_s") || !head["time_limit_s"].is_number() ||
      !head.contains("libraries"))
    return no_request("its first line is not ours");
  RemoteRequest remote;
  remote.time_limit_s = head["time_limit_s"].get<double>();
  if (!(remote.time_limit_s > 0 && remote.time_limit_s <= longest_limit_s))
    return no_request("its time limit is impossible");
  auto request = decode_request(*request_line);
  if (!request) return request.error();
  remote.request = std::move(*request);
  auto libraries = take_libraries(head["libraries"], bytes);
  if (!libraries) return libraries.error();
  remote.libraries = std::move(*libraries);

  const auto known = [&](const std::string& name) {
    return name.empty() || place_of(name, remote.libraries.size());
  };
  bool all_known = known(remote.request.workload);
  for (const PluginRequest& plugin : remote.request.plugins)
    all_known = all_known && known(plugin.library);
  if (!all_known) return no_request("it names a library that was not sent");
  return remote;
}

Result<Request> unpack(const RemoteRequest& remote, const std::filesystem::path& folder) {
  Request request = remote.request;
  for (std::size_t i = 0; i < remote.libraries.size(); ++i) {
    const auto path = folder / ("library-" + std::to_string(i) + ".so");
    if (auto written = write_new_file(path, remote.libraries[i]); !written) return written.error();
  }
  const auto name = [&](std::string& library) {
    if (const auto place = place_of(library, remote.libraries.size()))
      library = (folder / ("library-" + std::to_string(*place) + ".so")).string();
  };
  name(request.workload);
  for (PluginRequest& plugin : request.plugins) name(plugin.library);
  return request;
}

}  // namespace klab
