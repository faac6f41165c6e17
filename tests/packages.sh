# What the programs and tests need from Debian 12. Sourced by app/run and tests/run, with `root` set to the
# project's folder. Installs what is missing, or says what to install.

packages=(g++ cmake ninja-build ccache qt6-base-dev libgl1-mesa-dev libsqlite3-dev libssl-dev
  libcli11-dev libexpected-dev nlohmann-json3-dev librapidcheck-dev fonts-dejavu-core sqlite3 clang-format)

missing_packages() {
  local name
  for name in "${packages[@]}"; do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed$' || echo "$name"
  done
}

install_packages() {
  local missing as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    # Not Debian: go on if a compiler and CMake are there, CMake names what it misses.
    command -v cmake >/dev/null && command -v c++ >/dev/null && return 0
    echo "Install these (names as in Debian 12), then run this again: ${packages[*]}" >&2
    return 1
  fi
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      echo "Install these as root, then run this again: apt-get install ${missing[*]}" >&2
      return 1
    fi
  fi
  echo "Installing: ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# build PRESET [TARGET…]: configures once, then builds what changed. Prints only trouble and slow progress.
build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if [ ! -f "$root/build/$preset/build.ninja" ]; then
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  fi
  if ! cmake --build "$root/build/$preset" ${1:+--target "$@"} >"$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Automatic)' "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
