// Window: GLFW, OpenGL and ImGui's backends, kept behind one class.
#include "ui/window/window.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>
// GLFW last: it brings the system's OpenGL header.
#include <GLFW/glfw3.h>

#include "core/base/tree.hpp"
#include "ui/look/theme.hpp"
#include "ui/window/frame_input.hpp"
#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

// Core since OpenGL 3.0; the system's header only promises 1.1.
constexpr GLenum gl_framebuffer = 0x8D40, gl_renderbuffer = 0x8D41, gl_rgba8 = 0x8058,
                 gl_color_attachment0 = 0x8CE0;

template <class Function>
Function gl_function(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

std::string& last_glfw_error() {
  static std::string text;
  return text;
}

/// Set by GLFW's callbacks: an idle window redraws only if something arrived.
bool input_arrived = false;

void note_input(GLFWwindow*) { input_arrived = true; }

/// Before ImGui installs its own callbacks, which call these in turn.
void install_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int, int, int, int) { note_input(w); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code_point) {
    note_input(w);
    note_typed(code_point);
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { note_input(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { note_input(w); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { note_input(w); });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { note_input(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { note_input(w); });
  glfwSetWindowRefreshCallback(window, note_input);
  glfwSetWindowCloseCallback(window, note_input);
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { note_input(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { note_input(w); });
}

Error no_window(const std::string& why) {
  return make_error(ErrorCode::unsupported, "The window cannot open: " + why + ".",
                    "Run `./klab list` and `./klab check LAB` for the text workbook, or start a "
                    "desktop session (for a remote one, `ssh -X`).");
}

Error no_display() {
  if (environment("DISPLAY").empty() && environment("WAYLAND_DISPLAY").empty())
    return no_window("there is no display (neither DISPLAY nor WAYLAND_DISPLAY names one)");
  return no_window("there is no display (" + last_glfw_error() + ")");
}

/// GLFW from 3.4 on speaks to X11 and Wayland, and asks Wayland first, whose library complains on
/// standard error where there is none. Wayland is there only where the environment names it.
void ask_only_for_what_is_there() {
#ifdef GLFW_PLATFORM
  if (environment("WAYLAND_DISPLAY").empty()) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

/// Lets Mesa draw: with another maker's GPU if the screen is attached to one, otherwise on the
/// processor. NVIDIA's own driver would draw with the GPU that is measured. What the user has set
/// stays. Variables: https://docs.mesa3d.org/envvars.html and the vendor selection of libglvnd.
void draw_without_nvidia() {
  ::setenv("__GLX_VENDOR_LIBRARY_NAME", "mesa", 0);
  const char* mesa_egl = "/usr/share/glvnd/egl_vendor.d/50_mesa.json";
  if (std::filesystem::exists(mesa_egl)) ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", mesa_egl, 0);
  // Otherwise a recent Mesa translates OpenGL into Vulkan, for which it finds NVIDIA's driver.
  ::setenv("LIBGL_KOPPER_DISABLE", "1", 0);
  ::setenv("GALLIUM_DRIVER", "llvmpipe", 0);
}

/// One frame, up to what there is to be drawn.
void lay_out(const std::function<void()>& draw) {
  begin_frame();
  draw();
  ImGui::Render();
}

/// Draws what ImGui::Render() left, on the canvas' colour.
void draw_last_frame(int width, int height) {
  glViewport(0, 0, width, height);
  const ImVec4 canvas = ImGui::ColorConvertU32ToFloat4(theme().color.canvas);
  glClearColor(canvas.x, canvas.y, canvas.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  glfwSetErrorCallback([](int, const char* text) { last_glfw_error() = text; });
  if (!options.any_gpu) draw_without_nvidia();
  ask_only_for_what_is_there();
  if (!glfwInit()) return no_display();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, options.visible);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.scale == 0);
  const int width = options.visible ? options.width : 64,
            height = options.visible ? options.height : 64;
  GLFWwindow* window = glfwCreateWindow(width, height, "Kernel Lab", nullptr, nullptr);
  if (!window) {
    glfwTerminate();
    return no_window("OpenGL 3.3 is not available (" + last_glfw_error() + ")");
  }
  return std::unique_ptr<Window>(new Window(window, options));
}

Window::Window(GLFWwindow* window, const WindowOptions& options)
    : window_(window), options_(options) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  const auto* maker = reinterpret_cast<const char*>(glGetString(GL_VENDOR));
  drawn_by_nvidia_ = maker != nullptr && std::string_view(maker).starts_with("NVIDIA");
  glfwSetWindowSizeLimits(window_, 640, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
  install_callbacks(window_);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  // Ctrl+Tab switches pages here, not ImGui windows.
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyNext = 0;
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyPrev = 0;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!options_.visible) make_canvas();
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::keep_open() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

std::pair<float, float> Window::logical_size() const {
  int width = options_.width, height = options_.height;
  if (options_.visible) glfwGetWindowSize(window_, &width, &height);
  const float scale = display_scale();
  return {static_cast<float>(width) / scale, static_cast<float>(height) / scale};
}

void Window::resize(int width, int height) {
  options_.width = width;
  options_.height = height;
  if (options_.visible)
    glfwSetWindowSize(window_, width, height);
  else
    make_canvas();
}

void Window::set_full_screen(bool on) {
  if (on == windowed_.has_value() || !options_.visible) return;
  if (!on) {
    const auto [x, y, width, height] = *windowed_;
    windowed_.reset();
    glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  windowed_.emplace();
  glfwGetWindowPos(window_, windowed_->data(), windowed_->data() + 1);
  glfwGetWindowSize(window_, windowed_->data() + 2, windowed_->data() + 3);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool Window::should_close() const { return glfwWindowShouldClose(window_); }
void Window::set_title(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(window_, title.c_str());
}

double Window::now_s() { return glfwGetTime(); }
void Window::wake() { glfwPostEmptyEvent(); }

bool Window::wait(double seconds) {
  input_arrived = false;
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
  return input_arrived;
}

float Window::display_scale() const {
  if (options_.scale > 0) return options_.scale;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(x, 1.0f, 4.0f);
}

void Window::use_look(bool dark, float zoom) {
  const float scale = display_scale() * zoom;
  if (std::abs(scale - loaded_scale_) > 0.01f || glyphs_wanted()) {
    load_fonts(scale);
    if (loaded_scale_ > 0) {  // the first time the renderer uploads by itself
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    loaded_scale_ = scale;
  }
  apply_theme(dark ? Appearance::dark : Appearance::light, scale);
}

void Window::make_canvas() {
  if (framebuffer_ != 0) {
    gl_function<void (*)(GLsizei, const GLuint*)>("glDeleteFramebuffers")(1, &framebuffer_);
    gl_function<void (*)(GLsizei, const GLuint*)>("glDeleteRenderbuffers")(1, &color_);
  }
  gl_function<void (*)(GLsizei, GLuint*)>("glGenFramebuffers")(1, &framebuffer_);
  gl_function<void (*)(GLsizei, GLuint*)>("glGenRenderbuffers")(1, &color_);
  gl_function<void (*)(GLenum, GLuint)>("glBindRenderbuffer")(gl_renderbuffer, color_);
  gl_function<void (*)(GLenum, GLenum, GLsizei, GLsizei)>("glRenderbufferStorage")(
      gl_renderbuffer, gl_rgba8, options_.width, options_.height);
  gl_function<void (*)(GLenum, GLuint)>("glBindFramebuffer")(gl_framebuffer, framebuffer_);
  gl_function<void (*)(GLenum, GLenum, GLenum, GLuint)>("glFramebufferRenderbuffer")(
      gl_framebuffer, gl_color_attachment0, gl_renderbuffer, color_);
}

void Window::frame(bool dark, float zoom, const std::function<void()>& draw) {
  use_look(dark, zoom);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (!options_.visible) {
    width = options_.width, height = options_.height;
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    io.DisplayFramebufferScale = ImVec2(1, 1);
  }
  lay_out(draw);
  if (!options_.visible) return;  // a picture draws it when it is taken
  draw_last_frame(width, height);
  glfwSwapBuffers(window_);
}

bool Window::input_waits() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

void Window::frame_unseen(const std::function<void()>& draw) {
  if (ImGui::GetCurrentContext()->WithinFrameScope) return;  // the display went away within one
  ImGuiIO& io = ImGui::GetIO();
  io.GetClipboardTextFn = nullptr;
  io.SetClipboardTextFn = nullptr;
  io.DeltaTime = 1.0f / 60;
  lay_out(draw);
}

Picture Window::picture() const {
  int width = options_.width, height = options_.height;
  // What is on the screen cannot be read back everywhere, so the last frame is drawn once more.
  if (options_.visible) glfwGetFramebufferSize(window_, &width, &height);
  draw_last_frame(width, height);
  if (options_.visible) glReadBuffer(GL_BACK);
  Picture picture{width, height, {}};
  picture.pixels.resize(static_cast<std::size_t>(width) * 3 * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, picture.pixels.data());
  return picture;
}

}  // namespace klab::ui
