# Offline where the system has a package too old: a sentence with the remedy, and nothing half done.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || skip "only Debian 12 fetches newer packages"
make_tree
rm -rf "$sandbox/build"

stub apt-get 'echo "no route" >&2; exit 100'
run "$sandbox/klab" list
expect_status 4
expect_in "offline" "$err"
expect_in "Connect" "$err"
[[ ! -e "$sandbox/build/stamps/packages-learner" ]] || broken "a failed fetch counts as done"
