# Whether a package is new enough is a comparison of versions, whatever the release is called.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
command -v dpkg >/dev/null || skip "no Debian packages here"
# shellcheck source=workbench/setup/packages.sh
source "$source_root/workbench/setup/packages.sh"
# shellcheck source=workbench/setup/newer_packages.sh
source "$source_root/workbench/setup/newer_packages.sh"
build_root="$sandbox/build"

is_at_least 1.90.1+ds-1 1.90 || broken "Debian 13's and Ubuntu 24.04's Dear ImGui are new enough"
is_at_least 3.7.1-0.4~bpo12+1 3.4 || broken "a backport is new enough"
is_at_least 3.4.0-1build1 3.4 || broken "Ubuntu 24.04's Catch2 is new enough"
is_at_least 1.100 1.90 || broken "versions are compared as versions, not as text"
! is_at_least 1.86+ds-1+b1 1.90 || broken "Debian 12's Dear ImGui is too old"
! is_at_least 2.13.10-1 3.4 || broken "Debian 12's Catch2 is too old"
! is_at_least 1.9 1.90 || broken "1.9 is older than 1.90"

# Of several names the first in a good version counts.
version_of() {
  case "$1" in
    catch2) echo 2.13.10-1 ;;
    libcatch2-dev) echo 3.7.1-1 ;;
  esac
}
expect_equal "$(first_good_name 'libcatch2-dev|catch2' version_of 3.4)" libcatch2-dev
expect_equal "$(first_good_name 'catch2|libcatch2-dev' version_of 3.4)" libcatch2-dev
expect_equal "$(first_good_name 'catch2|libcatch2-dev' version_of 4)" ""
expect_equal "$(first_good_name absent version_of 1)" ""

# What was fetched earlier counts while it is new enough.
mkdir -p "$build_root/deps/.fetched"
echo 1.90.1+ds-1 >"$build_root/deps/.fetched/libimgui-dev"
has_fetched "other|libimgui-dev" 1.90 || broken "the fetched version is new enough"
! has_fetched libimgui-dev 1.91 || broken "the fetched version is too old now"
! has_fetched libcatch2-dev 3.4 || broken "nothing was fetched"

# A missing package is found, an installed one is not called missing.
expect_equal "$(missing_packages dpkg klab-no-such-package)" klab-no-such-package
