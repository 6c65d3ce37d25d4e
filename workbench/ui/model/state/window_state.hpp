// WindowState: how the window is arranged and what it is asked to bring into sight.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "core/verdict/verdict.hpp"

namespace klab::ui {

/// The pages of the main area. Wide windows show a reading page and a result page side by side.
enum class Page {
  lesson,
  code,
  result,
  diagnosis,
  roofline,
  timeline,
  sweep,
  occupancy,
  journal,
  device
};
/// In the order of their tabs and of Alt+1 ... Alt+9, Alt+0.
inline constexpr Page all_pages[] = {Page::lesson,   Page::code,     Page::result, Page::diagnosis,
                                     Page::roofline, Page::timeline, Page::sweep,  Page::occupancy,
                                     Page::journal,  Page::device};
/// Lesson and code, left of the others in a wide window.
inline constexpr std::size_t reading_pages = 2;
const char* to_string(Page page);

/// Something happened after which the next frame that can has to come into sight or to give away
/// the keyboard; who did it says so with command::Fulfilled.
enum class Wish {
  last_hint,    ///< the hints come into sight
  lesson_head,  ///< the lesson stands at its head
  lab_filter,   ///< the filter of the labs has the keyboard
  code,         ///< the learner's code has the keyboard
  code_bar      ///< the open bar of the code page has the keyboard
};

/// A sentence at the lower edge that goes away by itself or by a click.
struct Notice {
  Outcome tone = Outcome::not_checkable;
  std::string text;
  double until_s = 0;
};

struct WindowState {
  Page shown_page = Page::lesson;    ///< in a narrow window; wide ones split it in two
  Page reading_page = Page::lesson;  ///< wide window, left: lesson or code
  Page bench_page = Page::result;    ///< wide window, right: result, occupancy or journal
  std::set<Wish> wishes;
  bool asking_prediction = false;  ///< the questions cover the page
  bool help_open = false;
  bool labs_open = false;      ///< narrow window: the list of labs covers the page
  bool typing = false;         ///< keys go into the learner's code: what is not code makes room
  std::optional<float> split;  ///< share of the width left of the border; absent: as fits the page
  std::optional<Notice> notice;
  bool full_screen = false;
  bool dark = false;
  float zoom = 1;
};

}  // namespace klab::ui
