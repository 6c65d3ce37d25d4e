// Window: one GLFW window with an OpenGL 3 context and an ImGui context, and nothing of ours to
// draw.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/result.hpp"
#include "ui/window/picture.hpp"

struct GLFWwindow;

namespace klab::ui {

struct WindowOptions {
  int width = 1280, height = 800;  ///< logical pixels
  float scale = 0;                 ///< 0: as the display says
  bool visible = true;             ///< false: frames go to an image of exactly width x height
  bool any_gpu = false;            ///< true: may be drawn by the NVIDIA GPU that is measured
};

class Window {
 public:
  /// Errors: ErrorCode::unsupported with a sentence if there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool should_close() const;
  /// Takes back that the window was asked to close.
  void keep_open();
  /// Width and height as pixels at scale 1, whatever the display's scale and the zoom.
  std::pair<float, float> logical_size() const;
  /// In the pixels of WindowOptions; an invisible window's image becomes exactly so large.
  void resize(int width, int height);
  void set_full_screen(bool on);
  /// Waits for input or wake(), at most `seconds`; true if input arrived.
  bool wait(double seconds);
  /// May be called from any thread.
  static void wake();
  /// Runs `draw` between the start and the end of one ImGui frame and shows it. Fonts are loaded
  /// anew first where `zoom` or the display's scale changed.
  void frame(bool dark, float zoom, const std::function<void()>& draw);
  /// Input that arrived and that no frame has taken in yet: a frame takes in only a part of what
  /// came at once.
  static bool input_waits();
  /// A frame that nobody sees and that asks nothing of the display, which may be gone.
  static void frame_unseen(const std::function<void()>& draw);
  void set_title(const std::string& title);
  /// True if an NVIDIA GPU draws this window.
  bool drawn_by_nvidia() const { return drawn_by_nvidia_; }
  /// The last frame.
  Picture picture() const;
  /// Seconds on GLFW's clock.
  static double now_s();

 private:
  Window(GLFWwindow* window, const WindowOptions& options);
  float display_scale() const;
  void use_look(bool dark, float zoom);
  void make_canvas();

  GLFWwindow* window_;
  WindowOptions options_;
  float loaded_scale_ = 0;
  std::string title_;
  unsigned framebuffer_ = 0, color_ = 0;
  std::optional<std::array<int, 4>> windowed_;  ///< place and size before full screen
  bool drawn_by_nvidia_ = false;
};

}  // namespace klab::ui
