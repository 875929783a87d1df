#!/usr/bin/env bash
# Builds deploy/Containerfile as root on Debian, also where no registry of images is in reach: without BASE, which names
# an image of a registry, the base is made of Debian's packages and of the clone's Node.js, under a name of its own. npm is
# used with the settings of the person who runs this. Prints the name of the image.
set -euo pipefail
cd "$(dirname "$0")/../.."

image=${IMAGE:-localhost/malipo:built}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_base() {
  mkdir "$work/npm"
  npm install --silent --prefix "$work/npm" --no-save --no-audit --no-fund npm@11
  # Without manuals and translations, as the slim images of Debian are.
  mmdebstrap --quiet --variant=minbase --include=ca-certificates --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --customize-hook="copy-in node_modules/node/bin/node /usr/local/bin" \
    --customize-hook="mkdir -p \$1/usr/local/lib/node_modules" \
    --customize-hook="copy-in $work/npm/node_modules/npm /usr/local/lib/node_modules" \
    --customize-hook="ln -s ../lib/node_modules/npm/bin/npm-cli.js \$1/usr/local/bin/npm" \
    --customize-hook="chroot \$1 useradd --uid 1000 --create-home node" \
    bookworm "$work/base.tar"
  podman import --quiet "$work/base.tar" "$BASE" >/dev/null
}

# What npm is told here by files and by variables; the container sees neither.
npm_settings() {
  local name value
  for name in registry cafile proxy https-proxy noproxy; do
    value=$(npm config get --loglevel=error "$name")
    case $value in '' | null | undefined) ;; *) printf '%s=%s\n' "$name" "$value" ;; esac
  done
}

if [ -n "${BASE:-}" ]; then
  podman image exists "$BASE" || podman pull --quiet "$BASE" >&2
else
  BASE=localhost/malipo-base:$(node_modules/node/bin/node --version)
  podman image exists "$BASE" || make_base >&2
fi
npm_settings >"$work/npmrc"
cache=$(npm config get --loglevel=error cache)
mkdir -p "$cache"

# With the time of a commit, the same commit on the same base gives the same image.
timestamp=()
[ -z "${SOURCE_DATE_EPOCH:-}" ] || timestamp=(--timestamp "$SOURCE_DATE_EPOCH")

# The format of Docker is the one that knows health checks.
buildah bud --quiet --format docker --isolation chroot --pull-never --network host "${timestamp[@]}" \
  --volume "$work/npmrc:/root/.npmrc:ro" --volume "$cache:/root/.npm" --volume /etc/ssl/certs:/etc/ssl/certs:ro \
  --build-arg "BASE=$BASE" \
  --build-arg "VERSION=$(node -p 'require("./server/package.json").version')" \
  --build-arg "REVISION=$(git rev-parse HEAD)" \
  --tag "$image" -f deploy/Containerfile . >&2
echo "$image"
