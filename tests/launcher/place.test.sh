# A clone may lie in a folder of nearly any name; where it may not, that is said before anything is
# built.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree
above="$sandbox"

place() { # NAME: moves the small tree into a folder of that name
  rm -rf "$above/places"
  mkdir -p "$above/places/$1"
  cp -r "$above/klab" "$above/CMakePresets.json" "$above/CMakeLists.txt" "$above/workbench" \
    "$above/places/$1"
  clone="$above/places/$1"
}

place "my course (2026) & größe 1 + 100% @home={x}~!^"
if [[ -d "$above/build/deps" ]]; then
  mkdir "$clone/build"
  cp -r "$above/build/deps" "$clone/build/deps"
fi
run "$clone/klab" list
expect_status 0
expect_equal "$out" "tool list"

for character in '"' "'" '$' '`' ',' ';' '|' "\\" '#' '[' ']' '*' '?' '<' '>' $'\n'; do
  place "a${character}b"
  run "$clone/klab" list
  expect_status 4
  expect_in "cannot build in a folder whose path has" "$err"
  [[ "$character" == $'\n' ]] || expect_in "has $character in it" "$err"
  expect_in "Move this clone" "$err"
  [[ ! -e "$clone/build" ]] || broken "something was built where nothing can be"
done
