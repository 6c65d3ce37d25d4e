# The mirror is the one that the machine's own package sources name, in either format.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
# shellcheck source=workbench/setup/newer_packages.sh
source "$source_root/workbench/setup/newer_packages.sh"
cd "$sandbox"
suites="bookworm-backports trixie"

cat >one_line.list <<'END'
# deb file:///mirror/commented bookworm main
deb cdrom:[Debian-12]/ bookworm main
deb cdrom:[Debian GNU/Linux 12 _Bookworm_ - 20230610]/ bookworm main
deb-src file:///mirror/debian bookworm main
deb file:///security/debian-security bookworm-security main
deb file:///other/tools bookworm stable
deb [arch=amd64 signed-by=/usr/share/keyrings/debian.gpg] file:///mirror/debian bookworm main contrib # mine
deb file:///later/debian bookworm main
END
expect_equal "$(donor_sources bookworm "$suites" one_line.list)" \
  "# list
deb [arch=amd64 signed-by=/usr/share/keyrings/debian.gpg] file:///mirror/debian bookworm-backports main
deb [arch=amd64 signed-by=/usr/share/keyrings/debian.gpg] file:///mirror/debian trixie main"

cat >stanzas.sources <<'END'
Types: deb
URIs: file:///disabled/debian
Suites: bookworm
Components: main
Enabled: no

# A tool's own source.
Types: deb
URIs: file:///tool/apt
Suites: bookworm
Components: stable

Types: deb deb-src
URIs: file:///mirror/debian
 file:///second/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc=
 -----END PGP PUBLIC KEY BLOCK-----
END
expect_equal "$(donor_sources bookworm "$suites" stanzas.sources)" \
  "# sources
Types: deb
Suites: bookworm-backports trixie
Components: main
URIs: file:///mirror/debian
 file:///second/debian
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc=
 -----END PGP PUBLIC KEY BLOCK-----"

# Files are asked in order; missing ones, other names and other releases give nothing.
cp one_line.list disabled.list.off
expect_equal "$(donor_sources bookworm "$suites" missing.list disabled.list.off stanzas.sources |
  grep -c mirror/debian)" 1
expect_equal "$(donor_sources trixie "$suites" one_line.list stanzas.sources)" ""

# Debian 12 has donors, a release with all it needs has none.
expect_equal "$(donor_suites bookworm)" "$suites"
expect_equal "$(donor_suites trixie)" ""

# No host is written into the launcher.
if grep -nE 'https?://|[a-z]+\.(org|com|net)\b' "$source_root/klab" "$source_root"/workbench/setup/*.sh; then
  broken "a host is written into the launcher"
fi
