// What a runner must see: its libraries, those of CUDA, and the files of the request.
#include "runner/main/closed_room.hpp"

#include <link.h>

#include <string_view>

#include "core/base/tree.hpp"
#include "core/process/room.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {
namespace fs = std::filesystem;
namespace {

/// Nsight's tools and compute-sanitizer load a library of their own into us.
bool is_watched() {
  for (const char* name :
       {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "QUADD_INJECTION_PROXY"})
    if (!environment(name).empty()) return true;
  const std::string preloaded = environment("LD_PRELOAD");
  return preloaded.find("njection") != std::string::npos;
}

/// The folders of all libraries that are loaded: what they open by name lies there too.
int add_folder(dl_phdr_info* library, std::size_t, void* list) {
  const fs::path path = library->dlpi_name;
  if (path.is_absolute()) static_cast<std::vector<fs::path>*>(list)->push_back(path.parent_path());
  return 0;
}

void add_list(std::vector<fs::path>& readable, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) readable.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

}  // namespace

void close_room(const Request& request) {
  if (request.plugins.empty() || environment("KLAB_ROOM") == "open" || is_watched()) return;
  Room room{system_files(), request.scratch};
  // Whether a driver gets along without changing code was not tried on a GPU yet.
  if (!is_simulated()) room.code = Code::may_change;
  ::dl_iterate_phdr(add_folder, &room.readable);
  add_list(room.readable, environment("LD_LIBRARY_PATH"));
  // What the driver translated before; in here it is read only.
  room.readable.push_back(fs::path(environment("HOME")) / ".nv");
  add_list(room.readable, environment("CUDA_CACHE_PATH"));
  room.readable.emplace_back(request.workload);
  for (const PluginRequest& plugin : request.plugins) room.readable.emplace_back(plugin.library);
  (void)shut_in(room);
}

}  // namespace klab::runner
