// The real window in every kind of trouble: it stays, says what is wrong, and loses no work.
#include <sys/mount.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <memory>
#include <string>

#include "core/course/lab.hpp"
#include "ui/support/trouble.hpp"

namespace klab::ui {

TEST_CASE("The window survives every kernel of every fixture lab, one after another",
          "[ui][robust][slow]") {
  // The course of the fixtures, by links, in a folder of its own.
  const SampleCourse place;
  const fs::path root = place.root() / "fixtures", workbook = root / "workbook";
  fs::create_directory(root);
  for (const char* part : {"labs", "kernels", "solutions"})
    fs::create_directory_symlink(fs::path(KLAB_SOURCE_DIR) / "tests/fixtures" / part, root / part);
  const Variable root_is("KLAB_ROOT", root.string());
  const auto attempts = [&] {
    return count_of(text_of(workbook / "journal.jsonl"), "\"kind\":\"attempt\"");
  };
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto labs = load_course(root).labs;
  REQUIRE(labs.size() == 2);
  fs::create_directories(workbook);
  for (const Lab& lab : labs) {
    fs::copy_file(lab.flawed(), workbook / (lab.folder + ".cu"));
    std::ofstream(workbook / "journal.jsonl", std::ios::app)
        << R"({"kind":"prediction","number":1,"answers":[0],"lab":")" << lab.id << "\"}\n";
  }
  Child window(workbench({"--scale", "1", "--size", "640x480"}));  // it draws all the time
  int expected = 0;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    const Lab& lab = labs[i];
    REQUIRE(desktop.press_until("ctrl+" + std::to_string(i + 1), lab.id));
    desktop.key("F5");
    for (const Variant& variant : variants(lab)) {
      CAPTURE(lab.id, variant.name);
      REQUIRE(comes_true([&] { return attempts() > expected; }, 300s));
      REQUIRE(window.alive());
      ++expected;
      // Written as an editor does: all at once.
      std::ofstream(workbook / "new.txt", std::ios::binary)
          << text_of(variant.path) << "// " << variant.name.name() << '\n';
      fs::rename(workbook / "new.txt", workbook / (lab.folder + ".cu"));
    }
    REQUIRE(comes_true([&] { return attempts() > expected; }, 300s));
    ++expected;
  }
  CHECK(expected > 12);
  CHECK(desktop.title_holds(labs.back().id));
  desktop.key("ctrl+q");
  CHECK(window.wait(60s) == 0);
}

TEST_CASE("A runner that is killed in the middle is told, and the window goes on", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const fs::path killed = course.root() / "killed";
  const FakeRunner runner(course.root(), "read -r request\n" + hello + device +
                                             "case $request in *verify*) touch " + killed.string() +
                                             "; kill -9 $$;; esac\n"
                                             "echo '{\"type\":\"done\"}' >&3\n");
  OpenWorkbench open({"--lab", "2"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  for (int i = 0; i < 4 && course.attempts() == 0; ++i) {
    desktop.key("F5");
    comes_true([&] { return course.attempts() > 0; }, 60s);
  }
  CHECK(course.attempts() >= 1);
  CHECK(fs::exists(killed));
  CHECK(desktop.title_holds("fail - 02-coalescing - Kernel Lab"));
  CHECK(desktop.press_until("ctrl+1", "01-divergence"));
  open.quit();
}

TEST_CASE("A runner of another version is a verdict in words, not a crash", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const FakeRunner runner(course.root(),
                          R"(echo '{"type":"hello","protocol":77,"backend":"gpu"}' >&3)"
                          "\ncat > /dev/null\n");
  OpenWorkbench open({"--lab", "2"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  CHECK(desktop.press_until("F5", "not checkable here"));
  CHECK(course.attempts() >= 1);
  open.quit();
}

TEST_CASE("A remote runner that cannot be reached leaves a window that works", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  OpenWorkbench open({"--lab", "2", "--runner", "sh -c 'echo no route to host >&2; exit 255'"},
                     "02-coalescing");
  const Desktop& desktop = open.desktop;
  CHECK(desktop.press_until("F5", "not checkable here"));
  CHECK(desktop.press_until("ctrl+3", "03-register-spill"));
  open.quit();
}

TEST_CASE("A workbook that vanishes while something is typed comes back with it", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  type_into_editor(course, desktop, "typedhere");
  CHECK(comes_true([&] { return holds(course.root() / "workbook", "typedhere"); }, 60s));
  fs::remove_all(course.root() / "workbook");
  REQUIRE(open.window->alive());
  desktop.key("ctrl+s");
  CHECK(comes_true([&] { return text_of(course.mine()).find("typedhere") != std::string::npos; },
                   60s));
  open.quit();
}

TEST_CASE("On a full disk what was typed is kept elsewhere, and the window closes",
          "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const auto workbook = course.root() / "workbook";
  const std::string journal = course.journal(), kernel = text_of(course.mine());
  if (::mount("tmpfs", workbook.c_str(), "tmpfs", 0, "size=16k") != 0)
    SKIP("no small disk can be mounted here: that takes root and a host that allows it");
  struct Unmount {
    fs::path path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } unmount{workbook};
  std::ofstream(workbook / "journal.jsonl") << journal;
  std::ofstream(course.mine()) << kernel;
  std::ofstream(workbook / "filler") << std::string(64'000, 'x');
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  type_into_editor(course, desktop, "typedhere");
  CHECK(comes_true([&] { return holds(course.root() / "state", "typedhere"); }, 60s));
  desktop.key("ctrl+s");
  CHECK(desktop.press_until("ctrl+3", "03-register-spill"));  // it was saved before that
  REQUIRE(open.window->alive());
  CHECK(text_of(course.mine()) == kernel);  // never a half-written file
  open.quit();
  CHECK(holds(course.root() / "state", "typedhere"));
}

TEST_CASE("What was typed survives the window being killed", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const Desktop desktop;
  REQUIRE(desktop.usable());
  {
    Child window(workbench({"--lab", "2", "--scale", "1", "--size", "1024x768"}));
    REQUIRE(desktop.title_holds("02-coalescing"));
    type_into_editor(course, desktop, "typedhere");
    CHECK(comes_true([&] { return holds(course.root() / "workbook/drafts", "typedhere"); }, 60s));
  }  // killed
  CHECK_FALSE(holds(course.mine(), "typedhere"));
  Child window(workbench({"--lab", "2", "--scale", "1"}));
  REQUIRE(desktop.title_holds("02-coalescing"));
  CHECK(press_until_true(desktop, "ctrl+s", [&] {
    return text_of(course.mine()).find("typedhere") != std::string::npos;
  }));
  desktop.key("ctrl+q");
  CHECK(window.wait(60s) == 0);
}

TEST_CASE("The window can be made small, and large type on a fine display works too",
          "[ui][robust]") {
  const Course course;
  const Desktop desktop;
  REQUIRE(desktop.usable());
  for (const std::string scale : {"1", "2"}) {
    CAPTURE(scale);
    Child window(workbench({"--scale", scale, "--size", "1280x800"}));
    REQUIRE(desktop.title_holds("Kernel Lab"));
    for (const std::string size : {"640 480", "1280 1000", "640 480"}) {
      output_of("xdotool search --onlyvisible --name 'Kernel Lab' windowsize " + size);
      desktop.key("p");
      desktop.key("space");
      desktop.key("Escape");
      desktop.key("alt+8");
      REQUIRE(window.alive());
    }
    CHECK(desktop.press_until("ctrl+2", "02-coalescing"));
    desktop.key("ctrl+q");
    CHECK(window.wait(60s) == 0);
  }
}

TEST_CASE("The ceilings are measured from the device page, by key, and can be stopped",
          "[ui][robust]") {
  const Course course;
  const fs::path go = course.root() / "go";
  // Until told to go on, it measures without an end.
  const FakeRunner runner(
      course.root(),
      "read -r request\n" + hello + device +
          "case $request in *\"live\"*) sleep 60;; *ceilings*)\n"
          "echo '{\"type\":\"progress\",\"step\":\"measuring\",\"index\":1,\"total\":2}' >&3\n"
          "test -e " +
          go.string() +
          " || sleep 60\n"
          "echo '{\"type\":\"ceilings\",\"values\":{\"dram_copy\":2e12}}' >&3\n"
          ";; esac\necho '{\"type\":\"done\"}' >&3\n");
  const auto kept = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(runner.build))
      if (entry.is_regular_file() && text_of(entry.path()).find("dram_copy") != std::string::npos &&
          entry.path().filename() != "klab-runner-gpu")
        return true;
    return false;
  };
  OpenWorkbench open({"--lab", "2", "--page", "device"}, "02-coalescing");
  REQUIRE(open.desktop.press_until("m", "measuring the ceilings"));
  open.desktop.key("Escape");
  CHECK(
      comes_true([&] { return open.desktop.title().find("measuring") == std::string::npos; }, 60s));
  CHECK_FALSE(kept());
  std::ofstream(go) << "go";
  CHECK(press_until_true(open.desktop, "m", kept));
  open.quit();
}

TEST_CASE("Theme, text size, lab and window size come back at the next start", "[ui][robust]") {
  const Course course;
  const Desktop desktop;
  REQUIRE(desktop.usable());
  {
    Child window(workbench({"--scale", "1", "--size", "1100x700"}));
    REQUIRE(desktop.press_until("ctrl+4", "04-fusion"));
    desktop.key("ctrl+d");
    desktop.key("ctrl+minus");
    desktop.key("ctrl+q");
    REQUIRE(window.wait(60s) == 0);
  }
  const std::string kept = text_of(course.root() / "workbook" / "window.json");
  CAPTURE(kept);
  CHECK(kept.find("\"dark\": true") != std::string::npos);
  CHECK(kept.find("\"lab\": \"04-fusion\"") != std::string::npos);
  CHECK(kept.find("0.9") != std::string::npos);
  CHECK(kept.find("1100") != std::string::npos);
  Child window(workbench({"--scale", "1"}));
  REQUIRE(desktop.title_holds("04-fusion"));
  CHECK(output_of("xdotool search --onlyvisible --name 'Kernel Lab' getwindowgeometry")
            .find("1100x700") != std::string::npos);
  desktop.key("ctrl+q");
  CHECK(window.wait(60s) == 0);
}

TEST_CASE("The workbook of a script that was killed is swept away by a later one", "[ui][robust]") {
  const Course course;
  const fs::path temporary = course.root() / "tmp";
  fs::create_directories(temporary);
  const Variable temporary_is("TMPDIR", temporary.string());
  const auto fresh = [&] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(temporary))
      if (fs::is_symlink(entry.path() / "labs")) found.push_back(entry.path());
    return found;
  };
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const fs::path script = course.root() / "fresh.klab", picture = course.root() / "there.png";
  std::ofstream(script) << "workbook fresh\nopen 2\nscreenshot there.png\nwait 600\n";
  const auto start = [&] {
    fs::remove(picture);
    auto window = std::make_unique<Child>(workbench({"--script", script.string()}));
    REQUIRE(comes_true([&] { return fs::exists(picture); }, 60s));
    return window;
  };
  auto killed = start();
  const auto left = fresh();
  REQUIRE(left.size() == 1);
  killed.reset();
  REQUIRE(fs::exists(left.front()));
  // As if some time had passed: what is quite new may be about to be used.
  fs::last_write_time(left.front(), fs::file_time_type::clock::now() - 1h);
  const auto lives = start();
  CHECK_FALSE(fs::exists(left.front()));
  const auto second = start();
  CHECK(fresh().size() == 2);                 // that of a program that lives stays
  CHECK(fs::exists(course.root() / "labs"));  // links are not followed
}

}  // namespace klab::ui
