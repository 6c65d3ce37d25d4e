# Without a display that can be used, ./klab says so and prints the text workbook.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree
unset DISPLAY WAYLAND_DISPLAY
window="$sandbox/build/release/bin/klab-workbench"

# A verb waits neither for the window nor for labs it was not asked about.
run "$sandbox/klab" list
expect_equal "$out" "tool list"
[[ ! -e "$window" ]] || broken "a verb had the window built"
expect_not_in "build --needed" "$err"

run "$sandbox/klab" --setup
expect_status 0
expect_equal "$out" ""
[[ -x "$window" ]] || broken "set-up did not build the window"
expect_in "build --needed" "$err"

expect_text_workbook() {
  expect_status 0
  expect_equal "$out" "tool list"
  expect_in "There is no display" "$err"
}
run "$sandbox/klab"
expect_text_workbook
for unusable in :987 nonsense "" "localhost:987" ":x"; do
  run env DISPLAY="$unusable" "$sandbox/klab"
  expect_text_workbook
done
run env WAYLAND_DISPLAY=wayland-987 XDG_RUNTIME_DIR="$sandbox" "$sandbox/klab"
expect_text_workbook

command -v xvfb-run >/dev/null || skip "the part with a display needs xvfb-run"
run xvfb-run -a "$sandbox/klab"
expect_status 0
expect_equal "$out" "window"
expect_equal "$err" ""

# A display that is there but refuses the window.
run xvfb-run -a env KLAB_TEST_REFUSED=1 "$sandbox/klab"
expect_status 0
expect_in "tool list" "$out"
