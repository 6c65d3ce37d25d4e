# Distribution packages: finds what is missing and installs it, the only act that uses root rights.
# shellcheck shell=bash

learner_packages=(g++ cmake ninja-build ccache nlohmann-json3-dev libtomlplusplus-dev
  libcli11-dev libfmt-dev libmd4c-dev liblz4-dev libzstd-dev libglfw3-dev libgl-dev libstb-dev
  fonts-inter fonts-jetbrains-mono)
test_packages=(xvfb xauth xdotool x11-utils)

# Packages that some supported release ships too old: the names it may have, oldest version that
# will do. Dear ImGui 1.90 brought the child-window flags in use; Catch2 3 became a library. A
# learner needs Catch2 too: `ctest --preset exercises` checks the workbook.
versioned_packages=("libimgui-dev 1.90" "libcatch2-dev|catch2 3.4")

is_at_least() { dpkg --compare-versions "$1" ge "$2"; }

# Prints the version of an installed package, nothing when it is not installed.
installed_version() {
  # shellcheck disable=SC2016  # the braces are dpkg's
  dpkg-query -W -f '${db:Status-Abbrev}${Version}\n' "$1" 2>/dev/null | sed -n 's/^ii //p'
}

# Prints the version that the system's own package sources offer, nothing when none is known.
offered_version() {
  apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | grep -vx '(none)' || true
}

# Prints those of the named packages that are not installed. One question for all: the names that
# dpkg does not know are reported on standard error only.
missing_packages() {
  local have
  # shellcheck disable=SC2016
  have="$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^ii  *//p' || true)"
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$have" | sort -u)
}

# Prints the first of several names (a|b) whose version from `$2 name` reaches the bound.
first_good_name() {
  local names="$1" version_of="$2" bound="$3" name version
  for name in ${names//|/ }; do
    version="$("$version_of" "$name")"
    if [[ -n "$version" ]] && is_at_least "$version" "$bound"; then
      printf '%s\n' "$name"
      return
    fi
  done
}

# Shows the exact command that installs the packages and runs it if that is allowed: as root
# without a terminal at once, with a terminal after asking, otherwise not at all.
install_packages() {
  local -a as_root=() install
  ((EUID == 0)) || as_root=(sudo)
  install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y --no-install-recommends "$@")
  say "These packages are missing. To install them:"
  printf '  %s\n' "${as_root[*]:+sudo }apt-get update" "${install[*]}" >&2
  if ((EUID != 0)) && { ! has_terminal || ! command -v sudo >/dev/null; }; then
    fail "That needs root rights, which are not at hand here: run these commands as root" \
      "(without sudo if it is not installed), then ./klab again."
  fi
  if has_terminal && ! agrees "Run it now?"; then
    fail "Nothing was installed. Run the commands yourself, then ./klab again."
  fi
  # A source of the system's that cannot be refreshed need not be the one that is used.
  "${as_root[@]}" apt-get update -qq >&2 ||
    say "Not every package source answered; trying with what is known."
  "${install[@]}" >&2 || fail "The packages could not be installed: apt's message is above." \
    "Offline, connect once; afterwards no network is needed."
}

# Makes sure of every package of a set; extra packages may follow. Fetches into build/deps what
# the system has too old.
ensure_packages() {
  local set="$1" stamp="$build_root/stamps/packages-$1" names bound name entry
  shift
  local -a wanted=("${learner_packages[@]}" "$@") missing lacking=() too_old=()
  [[ "$set" != test ]] || wanted+=("${test_packages[@]}")
  if (($# == 0)) && [[ "$stamp" -nt "$dpkg_status" && "$stamp" -nt "$setup/packages.sh" ]]; then
    return
  fi
  if ! command -v dpkg-query >/dev/null; then
    say "This system has no Debian packages, so nothing is installed for you." \
      "The build needs what these are named on Debian: ${wanted[*]} ${versioned_packages[*]}."
    touch "$stamp"
    return
  fi
  for entry in "${versioned_packages[@]}"; do
    read -r names bound <<<"$entry"
    [[ -n "$(first_good_name "$names" installed_version "$bound")" ]] && continue
    has_fetched "$names" "$bound" && continue
    lacking+=("$entry")
    name="$(first_good_name "$names" offered_version "$bound")"
    [[ -n "$name" ]] && wanted+=("$name")
  done
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
  # What the system's sources offer may be known only now, after they were refreshed.
  missing=()
  for entry in ${lacking[@]+"${lacking[@]}"}; do
    read -r names bound <<<"$entry"
    [[ -n "$(first_good_name "$names" installed_version "$bound")" ]] && continue
    name="$(first_good_name "$names" offered_version "$bound")"
    if [[ -n "$name" ]]; then missing+=("$name"); else too_old+=("$entry"); fi
  done
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
  for entry in ${too_old[@]+"${too_old[@]}"}; do
    read -r names bound <<<"$entry"
    fetch_newer "$names" "$bound"
  done
  touch "$stamp"
}
