// Dispatch of the investigations, and their common envelope as JSON.
#include "core/investigate/investigation.hpp"

#include <type_traits>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using nlohmann::json;

constexpr std::pair<InvestigationKind, std::string_view> names[] = {
    {InvestigationKind::timeline, "timeline"},
    {InvestigationKind::stalls, "stalls"},
    {InvestigationKind::roofline, "roofline"},
    {InvestigationKind::sweep, "sweep"}};

/// Puts what was found, or why nothing was, into the investigation; what is only partly there
/// brings errors along.
template <class T>
void take(Investigation& investigation, Result<T> found) {
  if (!found) return investigation.errors.push_back(found.error());
  if constexpr (requires { found->errors; })
    investigation.errors.insert(investigation.errors.end(), found->errors.begin(),
                                found->errors.end());
  investigation.found = std::move(*found);
}

void run(Investigation& investigation, const PreparedLab& lab, const InvestigationRequest& request,
         const OnCheckEvent& on_event, const std::atomic<bool>& canceled) {
  switch (request.kind) {
    case InvestigationKind::timeline:
      return take(investigation, find_timeline(lab, on_event, canceled));
    case InvestigationKind::stalls:
      return take(investigation, find_stalls(lab, on_event, canceled));
    case InvestigationKind::roofline:
      return take(investigation, find_roofline(lab, on_event, canceled));
    case InvestigationKind::sweep:
      return take(investigation, find_sweep(lab, request.sweep, on_event, canceled));
  }
}

json found_json(const Investigation& investigation) {
  return std::visit(
      [](const auto& found) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(found)>, std::monostate>)
          return nullptr;
        else
          return to_json(found);
      },
      investigation.found);
}

void take_found(Investigation& investigation, const json& object) {
  switch (investigation.kind) {
    case InvestigationKind::timeline:
      return take(investigation, timeline_from(object));
    case InvestigationKind::stalls:
      return take(investigation, stalls_from(object));
    case InvestigationKind::roofline:
      return take(investigation, roofline_from(object));
    case InvestigationKind::sweep:
      return take(investigation, sweep_from(object));
  }
}

}  // namespace

std::string_view to_string(InvestigationKind kind) { return name_in(names, kind); }

std::optional<InvestigationKind> investigation_kind_from(std::string_view name) {
  return value_in(names, name);
}

Investigation investigate(const InvestigationRequest& request, const OnCheckEvent& on_event,
                          const std::atomic<bool>& canceled) {
  Investigation investigation{.kind = request.kind, .lab = request.lab.id, .date = now_utc()};
  const auto lab =
      prepare_lab(request.tree, request.lab, request.variants, request.backend, on_event, canceled);
  if (!lab) {
    investigation.errors.push_back(lab.error());
    return investigation;
  }
  investigation.backend = backend_of(lab->chosen.simulator);
  investigation.device = lab->chosen.device;
  for (const auto& [variant, built] : lab->plugins)
    investigation.source_digests[variant] = built.source_digest;
  std::optional<GpuLock> lock;
  if (!lab->chosen.simulator)
    lock.emplace(
        lab->tree,
        [&] {
          if (on_event)
            on_event({CheckEvent::Kind::queued,
                      OwnPhase::check,
                      {},
                      "Another check is using the GPU; waiting in line."});
        },
        canceled);
  run(investigation, *lab, request, on_event, canceled);
  if (canceled && investigation.errors.empty())
    investigation.errors.push_back(
        make_error(ErrorCode::canceled, "The investigation was stopped."));
  return investigation;
}

template <class Visit>
void fields(Visit& visit, Investigation& investigation) {
  visit("kind", json_fields::word(investigation.kind, investigation_kind_from, "unknown kind"));
  visit("lab", investigation.lab);
  visit("backend", json_fields::or_empty(investigation.backend));
  visit("device", investigation.device);
  visit("date", investigation.date);
  visit("source_digests", investigation.source_digests);
  visit("errors", investigation.errors);
  if constexpr (!Visit::reads) visit("found", found_json(investigation));
}

json to_json(const Investigation& investigation) { return json_fields::of_fields(investigation); }

Result<Investigation> investigation_from(const json& object) {
  using namespace json_reading;
  if (!object.is_object()) return make_error(ErrorCode::io, "An investigation is no JSON object.");
  if (!investigation_kind_from(get<std::string>(object, "kind", "")))
    return make_error(ErrorCode::io, "An investigation is of an unknown kind.");
  auto investigation = json_fields::lenient<Investigation>(object);
  if (const json& found = part(object, "found"); found.is_object() && !found.empty())
    take_found(investigation, found);
  return investigation;
}

}  // namespace klab
