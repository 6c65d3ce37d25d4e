# What this machine lacks that set-up cannot bring: a display, a GPU, the right to read counters.
# shellcheck shell=bash

# The oldest driver branch that runs CUDA 13 programs (NVIDIA's CUDA 13 release notes).
readonly oldest_driver=580

# True when a window can probably be opened: the display's socket is there. The workbench has the
# last word: see open_workbench.
has_display() {
  local host number
  if [[ -n "${WAYLAND_DISPLAY:-}" ]]; then
    [[ "$WAYLAND_DISPLAY" == /* ]] || local under="${XDG_RUNTIME_DIR:-/nonexistent}/"
    [[ ! -S "${under:-}$WAYLAND_DISPLAY" ]] || return 0
  fi
  [[ "${DISPLAY:-}" == *:* ]] || return 1
  host="${DISPLAY%:*}"
  number="${DISPLAY##*:}"
  number="${number%%.*}"
  [[ "$number" =~ ^[0-9]+$ ]] || return 1
  case "$host" in
    "" | unix) [[ -S "/tmp/.X11-unix/X$number" ]] ||
      grep -q "@/tmp/.X11-unix/X$number\$" /proc/net/unix ;;
    *) timeout 3 bash -c "exec 3<>/dev/tcp/\$0/\$1" "$host" $((6000 + number)) 2>/dev/null ;;
  esac
}

# True when a driver of NVIDIA's is loaded, or that of Windows is within reach.
has_driver() { [[ -e /proc/driver/nvidia/version || -e /dev/dxg ]]; }

# True also where only the driver's library or a device's file shows, as in some containers.
may_have_gpu() {
  # Read to its end: a reader that leaves early makes the writer fail, and the pipe with it.
  has_driver || compgen -G "/dev/nvidia[0-9]*" >/dev/null ||
    [[ "$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)" == *libcuda.so.1* ]]
}

# Prints a sentence for each thing that limits what can be measured here.
device_notes() {
  local driver
  if ! has_driver; then
    echo "No NVIDIA GPU driver is loaded here: kernels run on the simulator, which counts but" \
      "never times. \`./klab doctor\` says more."
    return
  fi
  driver="$(sed -n 's/.*Kernel Module[^0-9]*\([0-9]*\)\..*/\1/p' /proc/driver/nvidia/version \
    2>/dev/null || true)"
  if [[ -n "$driver" ]] && ((driver < oldest_driver)); then
    echo "The NVIDIA driver ($driver) is too old for CUDA 13: install $oldest_driver or newer;" \
      "until then kernels run on the simulator."
  fi
  if ((EUID != 0)) && grep -qs 'RmProfilingAdminOnly: 1' /proc/driver/nvidia/params; then
    echo "Hardware counters are reserved for root by the NVIDIA driver: put" \
      "\"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" into a file under /etc/modprobe.d" \
      "on the host and restart it. Until then gates that need counters are not checkable;" \
      "\`./klab doctor\` says more."
  fi
}

# Says the notes once, and again when they change.
say_device_notes() {
  local notes note stamp="$build_root/stamps/device"
  notes="$(device_notes)"
  [[ "$notes" == "$(cat "$stamp" 2>/dev/null)" && -e "$stamp" ]] && return
  printf '%s\n' "$notes" >"$stamp"
  [[ -z "$notes" ]] || while read -r note; do say "$note"; done <<<"$notes"
}
