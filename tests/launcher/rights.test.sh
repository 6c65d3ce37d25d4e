# Root rights: the command is shown, asked for, and run only where that is allowed.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree
command -v dpkg-query >/dev/null || skip "no Debian packages here"
((EUID == 0)) || skip "plays both root and another user, which takes root"

nobody_id=65534
as_nobody() { setpriv --reuid="$nobody_id" --regid="$nobody_id" --clear-groups "$@"; }
with_terminal() { # ANSWER COMMAND...
  local answer="$1"
  shift
  status=0
  out="$(script -qec "$(printf "%q " "$@")" /dev/null <<<"$answer" 2>&1)" || status=$?
}

# The toolkit in use may lie where another user cannot look.
make_toolkit "$sandbox/toolkit" 13.0
export KLAB_CUDA_HOME="$sandbox/toolkit"

# One package is missing, and the real apt-get must not be reached.
real_query="$(command -v dpkg-query)"
stub dpkg-query "\"$real_query\" \"\$@\" | grep -v fonts-inter"
stub apt-get "exit 0"
stub sudo "exit 0"
install_command="apt-get install -y --no-install-recommends fonts-inter"
chown -R "$nobody_id" "$sandbox"
reset() { rm -rf "$sandbox/build/stamps" && : >"$sandbox/calls.txt" && chmod 666 "$sandbox/calls.txt"; }
acts() { calls | grep -v '^dpkg-query' || true; }

# Another user without a terminal: the command is printed, nothing is run.
reset
run as_nobody "$sandbox/klab" list
expect_status 4
expect_in "  sudo apt-get update" "$err"
expect_in "  sudo env DEBIAN_FRONTEND=noninteractive $install_command" "$err"
expect_in "root rights" "$err"
expect_equal "$(acts)" ""

# Another user at a terminal is asked; only a yes runs sudo.
reset
with_terminal n setpriv --reuid="$nobody_id" --regid="$nobody_id" --clear-groups "$sandbox/klab" list
expect_status 4
expect_in "Run it now?" "$out"
expect_equal "$(acts)" ""
reset
with_terminal y setpriv --reuid="$nobody_id" --regid="$nobody_id" --clear-groups "$sandbox/klab" list
expect_status 0
expect_in "sudo apt-get update" "$(acts)"
expect_in "sudo env DEBIAN_FRONTEND=noninteractive $install_command" "$(acts)"

# Root at a terminal is asked as well.
reset
with_terminal n "$sandbox/klab" list
expect_status 4
expect_in "Run it now?" "$out"
expect_equal "$(acts)" ""

# Root without a terminal goes ahead, after showing the command.
reset
run "$sandbox/klab" list
expect_status 0
expect_in "$install_command" "$err"
expect_in "apt-get update" "$(acts)"
expect_in "$install_command" "$(acts)"
expect_not_in "sudo" "$(acts)"

# A refused installation is a sentence with a remedy.
reset
stub apt-get "exit 100"
run "$sandbox/klab" list
expect_status 4
expect_in "could not be installed" "$err"

# A build folder that belongs to someone else.
chown -R 0:0 "$sandbox/build"
run as_nobody "$sandbox/klab" list
expect_status 4
expect_in "$sandbox/build cannot be written to" "$err"
expect_in "sudo chown" "$err"
