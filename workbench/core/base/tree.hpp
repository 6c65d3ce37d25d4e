// Tree: where the course and its build are, and what the user's environment says of both.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/result.hpp"

namespace klab {

/// What the user's environment says by this name; empty where it says nothing.
std::string environment(const char* name);

/// The folders everything is found from, and what else the user said in the environment. A program
/// finds it once, where it begins, and passes it on in what it asks for: no layer speaks to another
/// through the environment. `build` is the CMake build tree that holds bin/ (this program
/// included).
struct Tree {
  std::filesystem::path root;     ///< the repository: labs/, kernels/, solutions/, workbook/
  std::filesystem::path build{};  ///< bin/, plugins/, cache/
  std::string remote{};           ///< command of a runner elsewhere; empty: the runners in bin/
  std::string toolkit{};          ///< CUDA_HOME: a toolkit to use where the launcher chose none
  std::string visible_devices{};  ///< CUDA_VISIBLE_DEVICES: another choice is another device
  bool open_room = false;         ///< KLAB_ROOM=open: kernel files run with all the user's rights

  std::filesystem::path plugins() const { return build / "plugins"; }
  /// What was found out about the device; each remote runner has a folder of its own.
  std::filesystem::path cache() const;
  std::filesystem::path workbook() const { return root / "workbook"; }
  std::filesystem::path runner(bool simulator) const {
    return build / "bin" / (simulator ? "klab-runner-sim" : "klab-runner-gpu");
  }
};

/// A tree that somebody passed: a request is none without it.
struct GivenTree : Tree {
  GivenTree(Tree tree) : Tree(std::move(tree)) {}
};

/// The tree this program belongs to: the build tree from its own location, the repository from the
/// folder that configured it. KLAB_ROOT in the environment names another repository, KLAB_RUNNER a
/// remote runner's command. For the programs' first lines.
Tree find_tree();

}  // namespace klab
