# Offline at the first start: a sentence with the remedy for each thing that cannot be fetched.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
make_tree

# NVIDIA's wheels cannot be reached.
stub python3 'case "$*" in *install*) echo "no route" >&2; exit 1 ;; esac'
run env KLAB_TOOLKIT=wheels "$sandbox/klab" list
expect_status 4
expect_in "wheels could not be fetched" "$err"
expect_in "Connect" "$err"
[[ ! -e "$sandbox/build/toolkit" ]] || broken "a failed download counts as a toolkit"
rm "$sandbox/stubs/python3"

grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || skip "only Debian 12 fetches newer packages"
rm -rf "$sandbox/build"
stub apt-get 'echo "no route" >&2; exit 100'
run "$sandbox/klab" list
expect_status 4
expect_in "offline" "$err"
expect_in "Connect" "$err"
