# A second start does nothing and says nothing; a change is built.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree

run "$sandbox/klab" list
expect_status 0
expect_equal "$out" "tool list"
expect_in "Building Kernel Lab" "$err"

# None of what sets up, builds or reaches a network is called again.
for name in apt-get apt-cache python3 pip cmake ninja dpkg-query; do stub "$name" "exit 1"; done
run "$sandbox/klab" list
expect_status 0
expect_equal "$out" "tool list"
expect_equal "$err" ""
expect_equal "$(calls)" ""
rm -r "$sandbox/stubs"

# A verb keeps its arguments, its status and the folder it was called from.
cd /
run "$sandbox/klab" check coalescing
expect_status 3
expect_equal "$out" "tool check coalescing"

# Help is the tool's, of a verb too.
run "$sandbox/klab" help check
expect_equal "$out" "tool help check"

# The program's own options reach it.
run "$sandbox/klab" --version
expect_status 0
expect_equal "$out" "tool --version"
for option in "--root /course" --root=/course "--runner 'ssh host runner'"; do
  eval "set -- $option"
  run "$sandbox/klab" "$@" list
  expect_equal "$out" "tool $* list"
done

# A change is built.
sed -i 's/"tool"/"new tool"/' "$sandbox/workbench/tool.cpp"
run "$sandbox/klab" list
expect_equal "$out" "new tool list"

# What does not compile is said, and the old tool is not run.
echo 'int main() { return }' >"$sandbox/workbench/tool.cpp"
run "$sandbox/klab" list
expect_status 4
expect_equal "$out" ""
expect_in "The build failed" "$err"
