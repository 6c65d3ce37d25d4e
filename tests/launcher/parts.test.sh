# What most learners never run is built when it is asked for, and kept up to date from then on.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
# shellcheck source=workbench/setup/device.sh
source "$source_root/workbench/setup/device.sh"
make_tree
bin="$sandbox/build/release/bin"

expect_built() { [[ -x "$bin/$1" ]] || broken "$1 is not built"; }
expect_not_built() { [[ ! -e "$bin/$1" ]] || broken "$1 is built, and nobody asked for it"; }

run "$sandbox/klab" list
expect_built klab
expect_not_built klab-course
expect_not_built klab-workbench
may_have_gpu || expect_not_built klab-runner-gpu

run "$sandbox/klab" --root /course course check
expect_equal "$out" "tool --root /course course check"
expect_built klab-course
may_have_gpu || expect_not_built klab-runner-gpu

run "$sandbox/klab" list --runner "srun klab-runner-gpu"
expect_built klab-runner-gpu

# What is there is never older than the rest.
sed -i 's/"tool"/"new tool"/' "$sandbox/workbench/tool.cpp"
run "$sandbox/klab" list
expect_equal "$("$bin/klab-course")" "new tool"
expect_equal "$("$bin/klab-runner-gpu")" "new tool"

# A window is there for every verb that opens one.
for words in "ui" "present 2" "bench --window"; do
  rm -f "$bin/klab-workbench" "$sandbox"/build/stamps/*-window
  # shellcheck disable=SC2086  # words of a command line
  run "$sandbox/klab" $words
  expect_built klab-workbench
done
