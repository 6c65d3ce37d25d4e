// Names of the kinds of random kernels.
#include "core/record/random/write/kinds.hpp"

namespace klab {

std::string_view name_of(RandomKind kind) {
  switch (kind) {
    case RandomKind::usual:
      return "usual";
    case RandomKind::structured:
      return "structured";
    case RandomKind::masked:
      return "masked";
    case RandomKind::memory:
      break;
  }
  return "memory";
}

std::optional<RandomKind> random_kind_from(std::string_view name) {
  for (const RandomKind kind : random_kinds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

}  // namespace klab
