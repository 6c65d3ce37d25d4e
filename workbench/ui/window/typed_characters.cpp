// TypedCharacters: ImGui puts U+FFFD where it cannot hold a character; the real ones wait here in
// the same order.
#include "ui/window/typed_characters.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <deque>

#include "core/base/text.hpp"

namespace klab::ui {
namespace {

constexpr unsigned replaced = IM_UNICODE_CODEPOINT_INVALID;

struct Waiting {
  std::deque<unsigned> code_points;   ///< typed, and not in a frame yet
  std::deque<unsigned> of_the_frame;  ///< for each U+FFFD in ImGui's queue
};
Waiting waiting;

std::string utf8_of(unsigned c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0)};
}

/// Of a valid sequence of UTF-8.
unsigned code_point_of(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence.front());
  unsigned c = sequence.size() == 1 ? first : first & (0x7Fu >> sequence.size());
  for (const char byte : sequence.substr(1))
    c = (c << 6) | (static_cast<unsigned char>(byte) & 0x3F);
  return c;
}

}  // namespace

void note_typed(unsigned code_point) {
  if (code_point >= replaced) waiting.code_points.push_back(code_point);
}

void begin_typed_frame() {
  waiting.of_the_frame.clear();
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c != replaced || waiting.code_points.empty()) continue;
    waiting.of_the_frame.push_back(waiting.code_points.front());
    waiting.code_points.pop_front();
  }
}

std::string typed_characters() {
  std::deque<unsigned> beyond = waiting.of_the_frame;
  std::string typed;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c < 0x20 || c == 0x7F) continue;
    if (c == replaced && !beyond.empty()) {
      typed += utf8_of(beyond.front());
      beyond.pop_front();
    } else {
      typed += utf8_of(c);
    }
  }
  return typed;
}

void type_characters(std::string_view utf8) {
  while (!utf8.empty()) {
    const std::size_t length = utf8_length(utf8);
    const unsigned c = length == 0 ? replaced : code_point_of(utf8.substr(0, length));
    note_typed(c);
    ImGui::GetIO().AddInputCharacter(c);
    utf8.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

}  // namespace klab::ui
