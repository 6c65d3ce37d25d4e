#!/usr/bin/env bash
# Proves that Kernel Lab sets itself up on a machine that has nothing: makes a bare Debian in a
# folder, clones the repository into it, and runs there what a newcomer runs. Of this machine it
# gets the network's settings: package mirror, certificates, pip's index. Takes root.
# Usage: .ci/bare.sh trixie|bookworm root|learner [OPTION of ./klab test ...]; a learner has sudo.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
suite="$1"
person="$2"
tree="$root/build/bare/$suite"
clone="$([[ "$person" == root ]] && echo /root/klab || echo "/home/$person/klab")"

# shellcheck source=workbench/setup/newer_packages.sh
source "$root/workbench/setup/newer_packages.sh"

# Prints the mirror that this machine's own package sources name.
mirror() {
  donor_sources "$(release_codename)" "$suite" /etc/apt/sources.list \
    /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list |
    grep -oE '[a-z+]+://[^[:space:]]+' | head -n 1
}

make_tree() {
  local from log="$tree.log"
  from="$(mirror)"
  [[ -n "$from" ]] || { echo "No package source here serves Debian." >&2 && return 1; }
  debootstrap --variant=minbase --include=git,ca-certificates,sudo "$suite" "$tree" "$from" \
    >"$log" 2>&1 || { tail -n 20 "$log" >&2 && return 1; }
  mount -t proc proc "$tree/proc"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$tree/dev/pts"
  mount -t tmpfs tmpfs "$tree/dev/shm"
}

# What stands between this machine and the network is handed over, at the places where it is looked
# for.
share_network() {
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [[ ! -e "$file" ]] || cp -L "$file" "$tree$file"
  done
  for file in "${PIP_CONFIG_FILE:-}" "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    [[ -r "$file" ]] || continue
    mkdir -p "$tree${clone%/*}/.config/pip"
    cp "$file" "$tree${clone%/*}/.config/pip/pip.conf"
    break
  done
  apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$tree/etc/apt/apt.conf.d/90machine" ||
    true
}

network_variables() {
  env | grep -E '^(PIP_[A-Z_]*|[a-z]*_proxy|[A-Z]*_PROXY)=' | grep -v '^PIP_CONFIG_FILE=' || true
}

# Runs in namespaces of its own, so that every mount and process ends with it, however it ends.
inside() {
  local -a network
  make_tree
  if [[ "$person" != root ]]; then
    chroot "$tree" useradd --create-home --shell /bin/bash "$person"
    echo "$person ALL=(ALL) NOPASSWD: ALL" >"$tree/etc/sudoers.d/$person"
  fi
  share_network
  git -c safe.directory='*' clone --quiet "file://$root" "$tree$clone"
  chroot "$tree" chown -R "$person:" "${clone%/*}"
  mapfile -t network < <(network_variables)
  chroot --userspec="$person" "$tree" /usr/bin/env -i HOME="${clone%/*}" USER="$person" TERM=dumb \
    LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${network[@]+"${network[@]}"} "$clone/.ci/bare_commands.sh" "$@"
}

# Nothing is mounted under the tree outside of the namespaces, so this reaches nothing else.
remove_tree() { rm -rf --one-file-system "$tree"; }

if [[ "${KLAB_BARE_INSIDE:-}" == yes ]]; then
  shift 2
  inside "$@"
  exit
fi

command -v debootstrap >/dev/null ||
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; }
mkdir -p "${tree%/*}"
exec 9>"$tree.lock"
flock --nonblock 9 || { echo "Another run uses $tree." >&2 && exit 1; }
remove_tree
KLAB_BARE_INSIDE=yes unshare --mount --pid --fork --kill-child --mount-proc bash "$0" "$@" 9>&- &
namespace=$!
trap 'kill -KILL "$namespace" 2>/dev/null || true' HUP INT TERM
status=0
wait "$namespace" || status=$?
wait "$namespace" 2>/dev/null || true
remove_tree || { sleep 2 && remove_tree; }
exit "$status"
