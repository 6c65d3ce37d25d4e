# How the launcher speaks: sentences on standard error, so that a verb's output stays clean.
# shellcheck shell=bash

# Exit status of a launcher that could not get this machine ready: the workbench's own
# "not checkable here", so that it is never mistaken for a failed check.
readonly not_ready=4

say() { printf 'klab: %s\n' "$*" >&2; }

fail() {
  say "$@"
  exit "$not_ready"
}

# True when a person can read the question and answer it.
has_terminal() { [[ -t 0 && -t 2 ]]; }

# Asks a yes-or-no question; only a clear yes is one.
agrees() {
  local answer
  read -r -p "klab: $1 [y/N] " answer || answer=no
  [[ "$answer" =~ ^[Yy]([Ee][Ss])?$ ]]
}
