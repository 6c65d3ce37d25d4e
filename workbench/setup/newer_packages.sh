# Packages that the distribution has too old: fetched from a newer release of the same
# distribution into build/deps. The system's package sources are read, never changed.
# shellcheck shell=bash

# Releases that may help out an older one, nearest first: what was built for the older release
# itself is preferred.
donor_suites() {
  case "$1" in
    bookworm) echo "bookworm-backports trixie" ;;
  esac
}

release_codename() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release; }

# Rewrites the machine's package sources for other suites: finds the first entry that serves the
# main component of `codename` and prints it with `suites` in place of its own, keeping the mirror
# and the keyring that the machine trusts. Entries of one line (.list) become `deb` lines, those of
# several (.sources) stay stanzas; a comment in the first line says which it is.
# Usage: donor_sources CODENAME SUITES FILE...; prints nothing when no entry fits.
donor_sources() {
  local codename="$1" suites="$2" file found
  shift 2
  for file in "$@"; do
    [[ -r "$file" ]] || continue
    case "$file" in
      *.sources) found="$(donor_stanza "$codename" "$suites" "$file")" ;;
      *.list) found="$(donor_lines "$codename" "$suites" "$file")" ;;
      *) continue ;;
    esac
    if [[ -n "$found" ]]; then
      printf '%s\n' "$found"
      return
    fi
  done
}

# The one-line format: deb [options] uri suite component...
donor_lines() {
  awk -v codename="$1" -v suites="$2" '
    $1 != "deb" { next }
    {
      sub(/#.*/, "")
      options = ""
      if (match($0, /^[ \t]*deb[ \t]+\[[^]]*\]/)) {
        options = substr($0, 1, RLENGTH)
        sub(/^[^[]*/, "", options)
        options = options " "
        $0 = "deb " substr($0, RLENGTH + 1)
      }
      if ($2 ~ /^cdrom:/ || $3 != codename) next
      for (i = 4; i <= NF; i++) if ($i == "main") {
        print "# list"
        count = split(suites, suite, " ")
        for (j = 1; j <= count; j++) print "deb " options $2 " " suite[j] " main"
        exit
      }
    }' "$3"
}

# The deb822 format: stanzas of fields, which may go on over indented lines.
donor_stanza() {
  awk -v codename="$1" -v suites="$2" '
    function has(list, word,    parts, i) {
      split(list, parts, /[ \t\n]+/)
      for (i in parts) if (parts[i] == word) return 1
      return 0
    }
    function finish() {
      if (has(value["types"], "deb") && has(value["suites"], codename) &&
          has(value["components"], "main") && tolower(value["enabled"]) !~ /no|false|off|0/) {
        print "# sources\nTypes: deb\nSuites: " suites "\nComponents: main\nURIs:" value["uris"]
        if ("signed-by" in value) print "Signed-By:" value["signed-by"]
        done = 1
        exit
      }
      delete value
      field = ""
    }
    /^#/ { next }
    /^[ \t]*$/ { finish(); next }
    /^[ \t]/ { value[field] = value[field] "\n" $0; next }
    {
      field = tolower(substr($0, 1, index($0, ":") - 1))
      value[field] = substr($0, index($0, ":") + 1)
    }
    END { if (!done) finish() }' "$3"
}

# True when an earlier run brought one of the names (a|b) in a version that will do.
has_fetched() {
  local name version
  for name in ${1//|/ }; do
    version="$(cat "$build_root/deps/.fetched/$name" 2>/dev/null)" || continue
    if is_at_least "$version" "$2"; then return 0; fi
  done
  return 1
}

# apt with package lists of its own under build/apt; signatures are verified with the keyrings that
# the machine's sources name. Hooks that other packages hang on an update are left out.
private_apt() {
  local tool="$1" apt_root="$build_root/apt"
  shift
  "$tool" -c "$apt_root/apt.conf" "$@"
}

# Prepares build/apt with the donors as its only sources and reads their lists.
open_donors() {
  local codename="$1" suites="$2" apt_root="$build_root/apt" sources kind
  sources="$(donor_sources "$codename" "$suites" /etc/apt/sources.list \
    /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list)"
  [[ -n "$sources" ]] || fail "No package source of this machine serves $codename main, so there" \
    "is no mirror to ask for newer packages: add one under /etc/apt, then run ./klab again."
  rm -rf "$apt_root"
  mkdir -p "$apt_root/lists/partial" "$apt_root/cache/archives/partial" "$apt_root/sources"
  kind="$(sed -n '1s/^# //p' <<<"$sources")"
  sed 1d <<<"$sources" >"$apt_root/sources/donors.$kind"
  cat >"$apt_root/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::State::Lists "$apt_root/lists";
Dir::Cache "$apt_root/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$apt_root/sources";
Dir::Etc::PreferencesParts "/dev/null";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
CONF
  private_apt apt-get update -qq >"$apt_root/update.log" 2>&1 || true
}

# Brings the first of several names (a|b) that a donor offers in a version that will do.
fetch_newer() {
  local names="$1" bound="$2" codename suites suite name version
  codename="$(release_codename)"
  suites="$(donor_suites "$codename")"
  [[ -n "$suites" ]] || fail "This release ($codename) offers no ${names//|/ or } $bound or newer." \
    "Install it by hand, or use Debian 12, Debian 13 or Ubuntu 24.04."
  [[ -n "${donors_open:-}" ]] || open_donors "$codename" "$suites"
  donors_open=yes
  for suite in $suites; do
    for name in ${names//|/ }; do
      version="$(private_apt apt-cache madison "$name" 2>/dev/null |
        awk -F ' *[|] *' -v place="$suite/main" '$3 ~ " " place " " { print $2; exit }')"
      if [[ -n "$version" ]] && is_at_least "$version" "$bound"; then
        say "Fetching $name $version from $suite into build/deps."
        unpack_newer "$name" "$version"
        return
      fi
    done
  done
  tail -n 3 "$build_root/apt/update.log" >&2
  fail "No ${names//|/ or } $bound or newer could be found in: $suites. Is this machine offline?" \
    "Connect once and run ./klab again; afterwards no network is needed."
}

unpack_newer() {
  local name="$1" version="$2" folder="$build_root/apt/download"
  rm -rf "$folder"
  mkdir -p "$folder" "$build_root/deps/.fetched"
  (cd "$folder" && private_apt apt-get download -qq "$name=$version" >&2) ||
    fail "$name $version could not be fetched: apt's message is above. Try again when connected."
  dpkg -x "$folder"/*.deb "$build_root/deps" || fail "$name $version could not be unpacked."
  printf '%s\n' "$version" >"$build_root/deps/.fetched/$name"
  rm -rf "$folder"
}
