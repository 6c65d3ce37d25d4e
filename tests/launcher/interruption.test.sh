# Two first starts at once do not collide, and one that was killed is taken up again.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree

for copy in 1 2; do
  "$sandbox/klab" list >"$sandbox/out.$copy" 2>"$sandbox/err.$copy" </dev/null &
  pids[copy]=$!
done
for copy in 1 2; do wait "${pids[copy]}" || broken "start $copy failed: $(cat "$sandbox/err.$copy")"; done
expect_equal "$(cat "$sandbox/out.1" "$sandbox/out.2")" "tool list
tool list"
expect_in "Another ./klab is setting up" "$(cat "$sandbox/err.1" "$sandbox/err.2")"
expect_equal "$(cat "$sandbox/err.1" "$sandbox/err.2" | grep -c 'Building Kernel Lab')" 1

# Killed while it compiles: the compiler runs in the start's own process group.
rm -rf "$sandbox/build/release" "$sandbox/build/stamps"
setsid "$sandbox/klab" list >/dev/null 2>&1 </dev/null &
victim=$!
until [[ -e "$sandbox/build/release/build.ninja" ]]; do
  kill -0 "$victim" 2>/dev/null || break
  sleep 0.05
done
kill -KILL -- "-$victim" 2>/dev/null || true
wait "$victim" 2>/dev/null || true
run "$sandbox/klab" list
expect_status 0
expect_equal "$out" "tool list"
