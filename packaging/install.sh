#!/bin/sh
# Installs agent-chat without Node and without root: the program into the user's own data directory,
# a link to the command into ~/.local/bin. Everything it downloads must have the checksum of SHA256SUMS.
#   sh install.sh [--dry-run] [--from <directory or URL>]
set -eu
version=1.0.0
from=${AGENT_CHAT_FROM:-}
dry=
while [ $# -gt 0 ]; do
  case $1 in
  --dry-run) dry=yes ;;
  --from) from=${2:?--from needs a directory or a URL} && shift ;;
  *) echo "usage: sh install.sh [--dry-run] [--from <directory or URL>]" >&2 && exit 2 ;;
  esac
  shift
done

fail() {
  printf 'agent-chat: %s\n  hint: %s\n' "$1" "$2" >&2
  exit "${3:-1}"
}

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) fail "there is no native program for $(uname -s)" 'install Node 20.19 or newer, and then: npm install -g agent-chat' 7 ;;
esac
case $(uname -m) in
x86_64 | amd64) cpu=x64 ;;
aarch64 | arm64) cpu=arm64 ;;
*) fail "there is no native program for $(uname -m)" 'install Node 20.19 or newer, and then: npm install -g agent-chat' 7 ;;
esac
[ -n "$from" ] || fail 'no release is named' 'name the directory or the URL of one: sh install.sh --from <release>' 2
case ${XDG_DATA_HOME:-} in
/*) data=$XDG_DATA_HOME ;;
*) data=${HOME:?} && data=$HOME/.local/share ;;
esac
root=$data/agent-chat/$version
program=$data/agent-chat/native/$version/agent-chat

echo "agent-chat $version for $os-$cpu, from $from"
echo "  plugin and command: $root"
echo "  program:            $program"
echo "  link:               $HOME/.local/bin/agent-chat"
[ -z "$dry" ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
fetch() {
  case $from in
  http://* | https://*) curl -fsSL -o "$work/$1" "$from/$1" 2>/dev/null || wget -qO "$work/$1" "$from/$1" ;;
  *) cp "${from#file://}/$1" "$work/$1" ;;
  esac || fail "$from/$1 could not be read" 'check the address, and that curl or wget is installed'
}
sum() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi
}
fetch SHA256SUMS
for name in agent-chat agent-chat-$os-$cpu; do
  file=$name-$version.tgz
  fetch "$file"
  grep -qxF "$(sum <"$work/$file" | cut -c 1-64)  $file" "$work/SHA256SUMS" ||
    fail "$file is not the file of its checksum" 'nothing was installed; download again, or report it'
  mkdir "$work/$name" && tar -xzf "$work/$file" -C "$work/$name"
done

mkdir -p "$data/agent-chat" "${program%/*}"
mv "$work/agent-chat-$os-$cpu/package/bin/agent-chat-$version" "$program.new"
chmod 755 "$program.new" && mv "$program.new" "$program"
rm -rf "$root" && mv "$work/agent-chat/package" "$root"
exec "$root/bin/agent-chat" setup
