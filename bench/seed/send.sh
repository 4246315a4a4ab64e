#!/usr/bin/env bash
# The simplest chat that could work: send.sh <to> <body>. A file with a header, written under another name and moved into the inbox; a line in the
# history. For the benchmark alone. SEED_SYNC=1 waits for the disk, as agent-chat does.
set -euo pipefail
home=$AGENT_CHAT_HOME from=$AGENT_CHAT_NAME to=${1#@} body=$2

jq -e --arg name "$to" 'has($name)' "$home/sessions.json" >/dev/null || {
  echo "there is no session @$to" >&2
  exit 4
}
read -r stamp at < <(date -u '+%Y%m%dT%H%M%S.%6NZ %Y-%m-%dT%H:%M:%S.%3NZ')
id=$stamp-from-$from
inbox=$home/inbox/$to
mkdir -p "$inbox/read"

printf -- '---\nid: %s\nfrom: %s\nto: %s\ntimestamp: %s\nkind: handover\n---\n%s\n' "$id" "$from" "$to" "$at" "$body" >"$inbox/.$id.tmp"
[ -z "${SEED_SYNC-}" ] || sync "$inbox/.$id.tmp"
mv -n "$inbox/.$id.tmp" "$inbox/$id.md"
[ -z "${SEED_SYNC-}" ] || sync "$inbox"
jq -cn --arg at "$at" --arg id "$id" --arg from "$from" --arg to "$to" '{$at, event: "sent", $id, $from, $to}' >>"$home/history.log"
echo "sent $id to @$to"
