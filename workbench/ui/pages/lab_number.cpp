// LabNumber: digits, and the moment that joins them.
#include "ui/pages/lab_number.hpp"

#include <imgui.h>

#include <algorithm>

namespace klab::ui {
namespace {

/// A digit that comes later begins a new number.
constexpr double digits_belong_together_s = 1.5;

std::optional<int> digit_pressed() {
  for (int digit = 0; digit < 10; ++digit)
    for (const int first : {ImGuiKey_0, ImGuiKey_Keypad0})
      if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(first + digit), false)) return digit;
  return std::nullopt;
}

std::optional<std::size_t> index_of(const std::vector<LabEntry>& labs, int number) {
  const auto found = std::find_if(
      labs.begin(), labs.end(), [&](const LabEntry& entry) { return entry.lab.number == number; });
  if (found == labs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - labs.begin());
}

}  // namespace

std::optional<std::size_t> lab_number_typed(const std::vector<LabEntry>& labs, bool anew) {
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID begun = ImGui::GetID("lab number"), at = ImGui::GetID("lab number at");
  if (anew) kept.SetInt(begun, 0);
  const auto digit = digit_pressed();
  if (!digit) return std::nullopt;
  const auto now_s = static_cast<float>(ImGui::GetTime());
  const bool goes_on = now_s - kept.GetFloat(at, -10) < digits_belong_together_s;
  int number = goes_on ? kept.GetInt(begun) * 10 + *digit : *digit;
  if (!index_of(labs, number)) number = *digit;
  kept.SetInt(begun, number);
  kept.SetFloat(at, now_s);
  return index_of(labs, number);
}

}  // namespace klab::ui
