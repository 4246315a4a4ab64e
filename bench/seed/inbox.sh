#!/usr/bin/env bash
# The simplest chat that could work: inbox.sh prints what is unread, oldest first, and moves each message into read/. For the benchmark alone.
set -euo pipefail
home=$AGENT_CHAT_HOME name=$AGENT_CHAT_NAME

jq -e --arg name "$name" 'has($name)' "$home/sessions.json" >/dev/null || {
  echo "there is no session @$name" >&2
  exit 4
}
inbox=$home/inbox/$name
shopt -s nullglob
files=("$inbox"/*.md)
if [ ${#files[@]} -eq 0 ]; then
  echo "no unread messages for @$name"
  exit
fi
echo "${#files[@]} unread messages for @$name"
for file in "${files[@]}"; do
  id=${file##*/}
  cat "$file"
  mv "$file" "$inbox/read/"
  jq -cn --arg at "$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)" --arg id "${id%.md}" --arg by "$name" '{$at, event: "read", $id, $by}' >>"$home/history.log"
done
