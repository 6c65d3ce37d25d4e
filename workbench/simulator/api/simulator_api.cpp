// The C interface for the runner.
#pragma GCC visibility push(default)
#include "simulator/api/simulator_api.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "simulator/api/report.hpp"
#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/state/within_call.hpp"

namespace klab::sim {
namespace {

std::string configure_problem;  // guarded by the runtime's lock

/// As text with a terminating zero, cut off at `capacity`; returns the bytes it needs in full.
size_t hand_out(const Json& object, char* buffer, size_t capacity) {
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (buffer != nullptr && capacity > 0) {
    const size_t copied = std::min(text.size(), capacity - 1);
    std::memcpy(buffer, text.data(), copied);
    buffer[copied] = '\0';
  }
  return text.size() + 1;
}

/// Reads one member if it is there; wrong types become a sentence.
class Reader {
 public:
  explicit Reader(const char* text) : object_(Json::parse(text ? text : "", nullptr, false)) {
    if (!object_.is_object()) problem = "The settings are not a JSON object.";
  }

  template <class T>
  std::optional<T> take(const char* name, bool (Json::*fits)() const noexcept, const char* wanted) {
    if (!problem.empty()) return std::nullopt;
    const auto member = object_.find(name);
    known_.push_back(name);
    if (member == object_.end()) return std::nullopt;
    if (!((*member).*fits)()) {
      problem = std::string("Setting \"") + name + "\" must be " + wanted + ".";
      return std::nullopt;
    }
    return member->get<T>();
  }

  void refuse_unknown() {
    if (!problem.empty()) return;
    for (const auto& [name, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
        problem = "Setting \"" + name + "\" is not known.";
      }
    }
  }

  std::string problem;

 private:
  Json object_;
  std::vector<std::string> known_;
};

std::optional<Checks> checks_named(const std::string& name) {
  if (name == "fast") return Checks::fast;
  if (name == "block") return Checks::block;
  if (name == "full") return Checks::full;
  return std::nullopt;
}

std::string configure(Runtime& runtime, const char* text) {
  Reader reader(text);
  const auto natural = &Json::is_number_unsigned;
  const auto threads = reader.take<unsigned>("threads", natural, "a whole number");
  const auto budget = reader.take<std::uint64_t>("budget", natural, "a whole number");
  const auto touched = reader.take<std::uint64_t>("touched_limit_bytes", natural, "a whole number");
  const auto part = reader.take<std::uint64_t>("blocks_in_part", natural, "a whole number");
  const auto part_begins = reader.take<std::uint64_t>("part_begins", natural, "a whole number");
  const auto several = reader.take<bool>("part_of_several", &Json::is_boolean, "true or false");
  const auto share = reader.take<double>("share_of_blocks", &Json::is_number, "a number");
  const auto drawn = reader.take<std::uint64_t>("drawn", natural, "a whole number");
  const auto name = reader.take<std::string>("device_name", &Json::is_string, "text");
  const auto bytes = reader.take<std::uint64_t>("device_bytes", natural, "a whole number");
  const auto multiprocessors =
      reader.take<std::uint32_t>("multiprocessors", natural, "a whole number");
  const auto limit = reader.take<std::uint64_t>("memory_limit_bytes", natural, "a whole number");
  const auto checks =
      reader.take<std::string>("checks", &Json::is_string, "\"fast\", \"block\" or \"full\"");
  const auto reverse = reader.take<bool>("warps_in_reverse", &Json::is_boolean, "true or false");
  const auto deferred = reader.take<bool>("deferred", &Json::is_boolean, "true or false");
  const auto unseen = reader.take<bool>("unseen_waits", &Json::is_boolean, "true or false");
  const auto quiet = reader.take<bool>("quiet", &Json::is_boolean, "true or false");
  const auto clock =
      reader.take<std::string>("clock", &Json::is_string, "\"host\" or \"counting\"");
  reader.refuse_unknown();
  if (reader.problem.empty() && clock && *clock != "host" && *clock != "counting") {
    reader.problem = "Setting \"clock\" must be \"host\" or \"counting\".";
  }
  if (reader.problem.empty() && checks && !checks_named(*checks)) {
    reader.problem = "Setting \"checks\" must be \"fast\", \"block\" or \"full\".";
  }
  if (!reader.problem.empty()) return reader.problem;
  runtime.streams.run_pending();
  if (threads) runtime.set_threads(*threads);
  if (budget) runtime.settings.instruction_budget = *budget;
  if (touched) runtime.settings.touched_bytes = *touched;
  if (part) runtime.settings.blocks_in_part = *part;
  if (runtime.has_device())
    runtime.device().memory().watch_pages(runtime.settings.asks_for_touched_pages());
  if (part || part_begins) runtime.settings.part_begins = part_begins;
  if (several) runtime.settings.part_of_several = *several;
  if (share) runtime.settings.share_of_blocks = std::clamp(*share, 0.0, 1.0);
  if (drawn) runtime.settings.drawn = *drawn;
  if (name) runtime.settings.device_name = *name;
  if (bytes) runtime.settings.device_bytes = *bytes;
  if (multiprocessors)
    runtime.settings.multiprocessors = std::min(*multiprocessors, Device::limits().multiprocessors);
  if (limit) runtime.set_memory_limit(*limit);
  if (reverse) runtime.settings.warps_in_reverse = *reverse;
  if (deferred) runtime.settings.deferred = *deferred;
  if (unseen) runtime.settings.unseen_waits = *unseen;
  if (quiet) runtime.settings.quiet = *quiet;
  if (clock) runtime.settings.counting_clock = *clock == "counting";
  if (checks) {
    runtime.settings.checks = *checks_named(*checks);
    if (runtime.has_device()) runtime.device().memory().set_tracking(*checks == "full");
  }
  return {};
}

/// Hands sentences on as JSON text; null for a null function.
std::function<void(const std::string&)> teller_of(klab_sim_finding_function function,
                                                  void* user_data) {
  if (function == nullptr) return nullptr;
  return [=](const std::string& sentence) {
    const std::string text = Json(sentence).dump(-1, ' ', false, Json::error_handler_t::replace);
    function(text.c_str(), text.size(), user_data);
  };
}

/// Runs the body under the lock; nothing thrown leaves the C interface.
template <class Body>
void guarded(Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    body(runtime);
  } catch (...) {
  }
}

}  // namespace
}  // namespace klab::sim

using namespace klab::sim;

extern "C" {

int klab_sim_configure(const char* json) {
  int result = 1;
  guarded([&](Runtime& runtime) {
    configure_problem = configure(runtime, json);
    result = configure_problem.empty() ? 0 : 1;
  });
  return result;
}

const char* klab_sim_message(void) { return configure_problem.c_str(); }

void klab_sim_call_kernel_file(int on) {
  guarded([=](Runtime& runtime) {
    runtime.errors.call_kernel_file(on != 0);
    if (on != 0) runtime.forget_refusals();
  });
}

int klab_sim_in_call(void) { return WithinCall::depth(); }

void klab_sim_name_work(const char* name) {
  guarded([=](Runtime& runtime) { runtime.streams.work_name = name != nullptr ? name : ""; });
}

void klab_sim_name_stream(void* stream, const char* name) {
  guarded([=](Runtime& runtime) {
    if (Stream* found = runtime.streams.find(static_cast<cudaStream_t>(stream)))
      runtime.streams.name(*found, name);
  });
}

void klab_sim_name_memory(const void* memory, const char* name) {
  guarded([=](Runtime& runtime) {
    if (runtime.has_device())
      runtime.device().memory().name(reinterpret_cast<std::uint64_t>(memory), name);
  });
}

void klab_sim_begin(void) {
  guarded([](Runtime& runtime) { runtime.begin(); });
}

size_t klab_sim_report(char* buffer, size_t capacity) {
  size_t needed = 0;
  guarded([&](Runtime& runtime) {
    runtime.tell_unready_times();
    needed = hand_out(report_of(runtime), buffer, capacity);
  });
  return needed;
}

void klab_sim_watch_order(int on) {
  guarded([=](Runtime& runtime) { on != 0 ? runtime.order.start() : runtime.order.stop(); });
}

unsigned long long klab_sim_step(void) {
  unsigned long long step = 0;
  guarded([&](Runtime& runtime) { step = runtime.order.step(); });
  return step;
}

size_t klab_sim_order(char* buffer, size_t capacity) {
  size_t needed = 0;
  guarded([&](Runtime& runtime) { needed = hand_out(order_of(runtime.order), buffer, capacity); });
  return needed;
}

void klab_sim_reuse_addresses(int on) {
  guarded([=](Runtime& runtime) { runtime.device().memory().set_reuse(on != 0); });
}

void klab_sim_mark_scratch(const void* memory) {
  guarded([=](Runtime& runtime) {
    runtime.device().memory().mark_scratch(reinterpret_cast<std::uint64_t>(memory));
  });
}

size_t klab_sim_touched_pages(const void* begin, size_t bytes, unsigned long long* pages,
                              size_t capacity) {
  size_t written = 0;
  guarded([&](Runtime& runtime) {
    if (!runtime.has_device()) return;
    const auto touched = runtime.device().memory().touched_pages(
        reinterpret_cast<std::uint64_t>(begin), bytes, capacity);
    written = touched.size();
    std::copy(touched.begin(), touched.end(), pages);
  });
  return written;
}

void klab_sim_living(long long* kept_allocations, unsigned long long* living_objects) {
  guarded([=](Runtime& runtime) {
    *kept_allocations = runtime.counts.kept_allocations;
    *living_objects = runtime.living_objects();
  });
}

unsigned long long klab_sim_clock(void) {
  unsigned long long shown = 0;
  guarded([&](Runtime& runtime) { shown = ++runtime.ticks; });
  return shown;
}

void klab_sim_cancel(void) { Runtime::instance().cancel = true; }

void klab_sim_on_finding(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.listener = nullptr;
    if (function == nullptr) return;
    runtime.listener = [=](const Finding& finding) {
      const std::string text =
          json_of(finding).dump(-1, ' ', false, Json::error_handler_t::replace);
      function(text.c_str(), text.size(), user_data);
    };
  });
}

void klab_sim_on_message(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) { runtime.hearer = teller_of(function, user_data); });
}

void klab_sim_on_refusal(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.on_refusal = nullptr;
    if (function == nullptr) return;
    runtime.on_refusal = [=](const Missing& missing) {
      const std::string text =
          json_of(missing).dump(-1, ' ', false, Json::error_handler_t::replace);
      function(text.c_str(), text.size(), user_data);
    };
  });
}

void klab_sim_on_lacking(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) { runtime.lacking = teller_of(function, user_data); });
}

void klab_sim_on_progress(klab_sim_progress_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.progress = nullptr;
    if (function == nullptr) return;
    runtime.progress = [=](const LaunchProgress& progress) {
      function(progress.warp_instructions, progress.blocks_done, progress.blocks, user_data);
    };
  });
}

}  // extern "C"
