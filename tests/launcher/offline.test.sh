# Offline where no CUDA toolkit is found: a sentence with the remedy, and nothing half done.
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
