// The time of a library's last use is that of its file.
#include "core/build/plugin_cache.hpp"

#include <algorithm>
#include <vector>

namespace klab {
namespace fs = std::filesystem;

fs::path report_of(const fs::path& library) { return library.string() + ".json"; }

void note_use(const fs::path& library) {
  std::error_code ignored;
  fs::last_write_time(library, fs::file_time_type::clock::now(), ignored);
}

void keep_within(const fs::path& plugins, std::uintmax_t bound_bytes) {
  struct Kept {
    fs::path library;
    fs::file_time_type used;
    std::uintmax_t bytes;
  };
  std::vector<Kept> kept;
  std::uintmax_t total = 0;
  std::error_code failure;
  for (const auto& lab : fs::directory_iterator(plugins, failure))
    for (const auto& entry : fs::directory_iterator(lab.path(), failure)) {
      if (entry.path().extension() != ".so") continue;
      // Another process may be deleting the same ones.
      std::error_code gone;
      const Kept one{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
      if (gone) continue;
      total += one.bytes;
      kept.push_back(one);
    }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& oldest : kept) {
    if (total <= bound_bytes) return;
    fs::remove(oldest.library, failure);
    fs::remove(report_of(oldest.library), failure);
    total -= oldest.bytes;
  }
}

}  // namespace klab
