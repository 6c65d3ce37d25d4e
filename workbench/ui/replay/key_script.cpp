// KeyScript: names of keys into events of ImGui.
#include "ui/replay/key_script.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace klab::ui {
namespace {

/// Names as the help writes them, where ImGui has others.
constexpr std::pair<std::string_view, ImGuiKey> own_names[] = {
    {"Ctrl", ImGuiKey_LeftCtrl}, {"Alt", ImGuiKey_LeftAlt},    {"Shift", ImGuiKey_LeftShift},
    {"Esc", ImGuiKey_Escape},    {"Left", ImGuiKey_LeftArrow}, {"Right", ImGuiKey_RightArrow},
    {"Up", ImGuiKey_UpArrow},    {"Down", ImGuiKey_DownArrow}, {"Plus", ImGuiKey_Equal},
    {"+", ImGuiKey_Equal},       {"-", ImGuiKey_Minus},        {"[", ImGuiKey_LeftBracket},
    {"]", ImGuiKey_RightBracket}};

ImGuiKey key_named(const std::string& name) {
  for (const auto& [own, key] : own_names)
    if (name == own) return key;
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
    if (name == ImGui::GetKeyName(static_cast<ImGuiKey>(key))) return static_cast<ImGuiKey>(key);
  return ImGuiKey_None;
}

/// A plus sign joins the keys of a chord, unless it stands alone.
std::vector<std::string> keys_in(std::string chord) {
  if (chord == "+") return {chord};
  std::replace(chord.begin(), chord.end(), '+', ' ');
  std::istringstream parts(chord);
  return {std::istream_iterator<std::string>(parts), {}};
}

std::vector<ImGuiKey> chord_named(const std::string& names) {
  std::vector<ImGuiKey> keys;
  for (const std::string& name : keys_in(names))
    if (const ImGuiKey key = key_named(name); key != ImGuiKey_None) keys.push_back(key);
  return keys;
}

ImGuiKey modifier_of(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_LeftCtrl:
      return ImGuiMod_Ctrl;
    case ImGuiKey_LeftShift:
      return ImGuiMod_Shift;
    case ImGuiKey_LeftAlt:
      return ImGuiMod_Alt;
    default:
      return ImGuiKey_None;
  }
}

}  // namespace

KeyScript::KeyScript(const std::string& names) {
  std::istringstream parts(names);
  for (std::string name; parts >> name;)
    if (auto keys = chord_named(name); !keys.empty()) chords_.push_back(std::move(keys));
}

std::string KeyScript::unknown_key(const std::string& names) {
  std::istringstream chords(names);
  for (std::string chord; chords >> chord;)
    for (const std::string& name : keys_in(chord))
      if (key_named(name) == ImGuiKey_None) return name;
  return {};
}

void KeyScript::advance() {
  if (done() || --rest_ > 0) return;
  rest_ = 3;
  down_ = !down_;
  for (const ImGuiKey key : chords_[next_]) {
    ImGui::GetIO().AddKeyEvent(key, down_);
    // ImGui's own fields ask for the modifier, as a window system reports it beside the key.
    if (const ImGuiKey modifier = modifier_of(key); modifier != ImGuiKey_None)
      ImGui::GetIO().AddKeyEvent(modifier, down_);
  }
  if (!down_) ++next_;
}

}  // namespace klab::ui
