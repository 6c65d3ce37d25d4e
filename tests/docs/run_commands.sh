#!/usr/bin/env bash
# Runs every command that a document names, in a copy of the course, and expects the exit status
# that a reader would see. A command of which nothing is known here fails the test: say below what
# it should do.
# Usage: run_commands.sh DOCUMENT, relative to the repository.
set -euo pipefail

source_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
document="$1"
bin="$KLAB_BINARY_DIR/bin"

# What passed with the same files is not run again, as in tests/support/passed_before.hpp. Built ones
# are known by when they were.
inputs() {
  cd "$source_root"
  sha256sum "$document" docs/*.md README.md tests/docs/run_commands.sh CMakePresets.json
  find labs kernels solutions docs/results workbench/runner/workload -type f -print0 | sort -z |
    xargs -0 sha256sum
  find "$bin" "$KLAB_BINARY_DIR/simulator" -maxdepth 1 -type f ! -name '*_tests' -printf '%p %t %s\n' |
    sort
  command -v xvfb-run xdotool ncu nsys || true
  if has_gpu; then date +%s%N; fi  # a GPU is always asked
}
has_gpu() { [[ -e /proc/driver/nvidia/version ]]; }
passed="$KLAB_BINARY_DIR/passed/$(inputs | sha256sum | cut -d' ' -f1)"
if [[ -e "$passed" && -z "${KLAB_TEST_AGAIN:-}" ]]; then
  echo "The commands of $document passed with the same files before."
  exit 0
fi

course="$(mktemp -d "/tmp/klab docs.XXXXXX")"
trap 'rm -rf "$course"' EXIT
# By links, so that a kernel that some test has built is not built again for each document.
for part in labs kernels solutions; do
  mkdir "$course/$part"
  ln -s "$source_root/$part"/* "$course/$part"
done
cp -r "$source_root"/{docs,README.md} "$course"
export KLAB_ROOT="$course" KLAB_BUILD="$KLAB_BINARY_DIR" TERM=dumb
report=""
ran=0
failed=0

# The lines of the blocks marked as shell, without their comments, then what stands in backquotes
# and begins with ./klab.
commands_of() {
  awk '/^```/ { inside = !inside && $0 == "```sh"; next } inside && NF { print }' "$1" |
    sed -E 's/ +#.*$//'
  # shellcheck disable=SC2016  # the backquotes are the document's
  sed '/^```/,/^```/d' "$1" | { grep -oE '`\./klab [^`]*`' || true; } | tr -d '`'
}

# Fills in what a document leaves to its reader.
concrete() {
  local command="$1"
  command="${command//REPORT/$report}"
  command="${command//\{\{slug\}\}/coalescing}"
  # What would take minutes is run on one lab, or at one value.
  case "$command" in
    "./klab sweep tensor-cores "*BLOCK*) command+=" --values 8" ;;  # a side
    "./klab sweep "*BLOCK*) command+=" --values 512" ;;
    "./klab sweep "*COPIES*) command+=" --values 16" ;;
    "./klab sweep "*WARPS*) command+=" --values 4" ;;
    "./klab sweep "*PITCH*) command+=" --values 33" ;;
    "./klab sweep "*) command+=" --values 64" ;;
    "./klab course check NN") command+=" --files" ;;  # its kernel files have tests of their own
    "./klab course record") command+=" 1 --output '$course/record.json'" ;;
    "./klab course repeat "*) command+=" --times 1 --output '$course/repeats.json'" ;;
    "./klab bench") command+=" 1 --repeats 1" ;;
  esac
  sed -E 's/\b(NN|ID|LAB)\b/1/g; s/\bNAME\b/optimized/g' <<<"$command"
}

# The exit statuses that are right for a command, or a word: "set-up" for what the launcher's own
# tests cover, "forever" for what ends by Ctrl-C, "window" for what needs a display and ends, "open"
# for a window that stays.
expectation() {
  local on_gpu_only=4
  has_gpu && on_gpu_only=0
  case "$1" in
    ./klab | "./klab test" | "./klab --setup" | "./klab test -"*) echo set-up ;;
    # The simulator's own tests do what this does.
    "./klab course agree"* | "./klab bench --simulator"* | "./klab sim "*) echo set-up ;;
    "./klab watch "*) echo forever ;;
    # The verb's name alone, in prose.
    "./klab check" | "./klab predict" | "./klab hint" | "./klab start") echo verb ;;
    "./klab check "*"--variant optimized"*) echo "$on_gpu_only" ;;
    "./klab present"* | "./klab ui --replay "* | "./klab ui --runner "*) echo open ;;
    "./klab ui "*) echo window ;;
    # No reader's machine is called `host`: the runner there cannot be reached.
    *"--runner 'ssh host "*) echo 4 ;;
    "./klab check "*) echo 1 ;;
    "./klab compare "*"--variant optimized"*) echo "$on_gpu_only" ;;
    "./klab compare "*) echo 1 ;;
    # Kept until the lab is passed, which no document does for its reader.
    "./klab solution "*"--give-up"*) echo 0 ;;
    "./klab solution "*) echo 2 ;;
    "./klab predict "* | "./klab reset "*) echo 0 ;;
    "./klab course record"* | "./klab course repeat"* | "./klab bench"* | "./klab device"*) echo "$on_gpu_only" ;;
    "./klab "* | "nvcc "*) echo 0 ;;
    "ctest --preset "*) echo listed ;;
    "klab-workbench "*) echo window ;;
    "ncu "* | "nsys "* | "nsys-ui "*) echo profiler ;;
    *) echo unknown ;;
  esac
}

complain() {
  printf 'FAILED: %s\n  %s\n' "$1" "$2" >&2
  failed=$((failed + 1))
}

# Runs it with the built program in place of the launcher, in the copy of the course. The limit is
# for what hangs.
run_here() {
  local status=0
  local -a words
  eval "words=($1)"
  if [[ "${words[0]}" == ./klab ]]; then
    words[0]="$bin/klab"
  fi
  [[ "${words[0]}" == klab-workbench ]] && words[0]="$bin/klab-workbench"
  (cd "$course" && timeout 900 "${words[@]}") >"$course/out.txt" 2>"$course/err.txt" </dev/null ||
    status=$?
  return "$status"
}

# The command under an X server of its own.
in_window() { echo "xvfb-run -a -s '-noreset' '$bin'/${1#./}"; }

# Starts a program whose window stays; once the window is there, it is told to end.
quit_once_open() {
  local program
  "$@" &
  program=$!
  until xdotool search --onlyvisible --name "Kernel Lab" >/dev/null; do
    kill -0 "$program" || return 1
    sleep 0.1
  done
  while kill -0 "$program" 2>/dev/null; do
    xdotool key ctrl+q || true
    sleep 0.3
  done
  wait "$program"
}

in_open_window() {
  echo "xvfb-run -a -s '-noreset' bash -c '$(declare -f quit_once_open)
    quit_once_open \"\$@\"' bash '$bin'/${1#./}"
}

# Runs what goes on until Ctrl-C up to where it says so, and then presses it. Programs in the
# background ignore that key unless they are told otherwise.
run_until_interrupted() {
  local status=0 program
  local -a words
  eval "words=($1)"
  (cd "$course" && exec env --default-signal=INT "$bin/klab" "${words[@]:1}") \
    >"$course/out.txt" 2>"$course/err.txt" </dev/null &
  program=$!
  until grep -q 'Ctrl-C ends' "$course/out.txt"; do
    kill -0 "$program" 2>/dev/null || break
    sleep 0.1
  done
  kill -INT "$program" 2>/dev/null || return 1
  wait "$program" || status=$?
  return "$status"
}

run_command() {
  local command="$1" expected status=0 preset tool
  expected="$(expectation "$command")"
  case "$expected" in
    set-up) echo "the launcher's tests run it: $command" ;;
    unknown) complain "$command" "Nothing is known of this command: tests/docs/run_commands.sh." ;;
    listed)
      preset="$(awk '{ print $3 }' <<<"$command")"
      (cd "$source_root" && ctest --list-presets) | grep -qF "\"$preset\"" ||
        complain "$command" "There is no test preset $preset."
      ;;
    window)
      command -v xvfb-run >/dev/null || { echo "left out, no xvfb-run: $command"; return; }
      run_here "$(in_window "$command")" || status=$?
      ((status == 0)) || complain "$command" "exit status $status: $(tail -n 3 "$course/err.txt")"
      ;;
    open)
      for tool in xvfb-run xdotool; do
        command -v "$tool" >/dev/null || { echo "left out, no $tool: $command"; return; }
      done
      run_here "$(in_open_window "$command")" || status=$?
      ((status == 0)) || complain "$command" "exit status $status: $(tail -n 3 "$course/err.txt")"
      ;;
    profiler)
      if [[ -z "$report" ]] || ! command -v "${command%% *}" >/dev/null; then
        echo "left out, no ${command%% *} or no report of it: $command"
        return
      fi
      run_here "$command" || status=$?
      ((status == 0)) || complain "$command" "exit status $status: $(tail -n 3 "$course/err.txt")"
      ;;
    verb)
      run_here "$command --help" || complain "$command" "There is no such verb."
      ;;
    forever)
      run_until_interrupted "$command" || status=$?
      ((status == 0)) || complain "$command" "It did not go on until Ctrl-C: exit status $status."
      ;;
    *)
      run_here "$command" || status=$?
      [[ " $expected " == *" $status "* ]] ||
        complain "$command" "exit status $status, want $expected: $(tail -n 3 "$course/err.txt")"
      report="$(grep -oE '/[^ ]*\.(ncu-rep|nsys-rep)' "$course/out.txt" | tail -n 1 || true)"
      ;;
  esac
  ran=$((ran + 1))
}

# The reader of a lesson has started its lab.
if [[ "$document" == labs/*/lesson.md ]]; then
  lab="${document#labs/}"
  run_here "./klab start ${lab%%_*}" || complain start "$(cat "$course/err.txt")"
fi
mapfile -t commands < <(commands_of "$source_root/$document" | awk '!seen[$0]++')
((${#commands[@]})) || { echo "It names no command."; exit 77; }
for command in "${commands[@]}"; do run_command "$(concrete "$command")"; done
echo "$ran commands of $document were run, $failed failed"
((failed == 0))
{ mkdir -p "${passed%/*}" && : >"$passed"; } 2>/dev/null || true  # another user may own the tree
