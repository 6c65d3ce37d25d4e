# Wrong options are said before anything is set up; --help needs no set-up either.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree
rm -rf "$sandbox/build"

run "$sandbox/klab" --help
expect_status 0
expect_in "./klab test" "$out"

expect_refusal() {
  local said="$1"
  shift
  run "$@"
  expect_status 2
  expect_in "$said" "$err"
  expect_in "./klab --help" "$err"
}
expect_refusal "no option --tset" "$sandbox/klab" --tset
expect_refusal "no preset fast" "$sandbox/klab" test --preset fast
expect_refusal "needs a value" "$sandbox/klab" test --toolkit
expect_refusal "no layer cellar: core, runner" "$sandbox/klab" test --layer core --layer cellar
expect_refusal "not debian" "$sandbox/klab" test --toolkit debian
expect_refusal "not debian" env KLAB_TOOLKIT=debian "$sandbox/klab" list
expect_refusal "the preset is wheels" "$sandbox/klab" test --toolkit wheels --preset asan
[[ ! -e "$sandbox/build" ]] || broken "a wrong option must set nothing up"
