// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell replaces.
/**
 * The shell around our entry where a client's own file names our hooks. That file holds these lines
 * itself: an entry that is missing, damaged or without a working Node must neither stop a prompt
 * (exit 2) nor let a call pass.
 */

/** Runs the entry, and ends silently where that fails. */
export const STARTS = '( . "$0" ) 2>/dev/null; exit 0'

/**
 * Whether a hook is of a session of ours, with no more than a shell: it has a name, or its client is
 * registered in the home of the hook, of the user or of the client, with its start where that can be
 * seen: a pid is used again. That has the pid given, or is one of the processes above.
 * `bin/agent-chat` has the same lines.
 */
export const OURS = [
  'ours() {',
  '[ -z "${AGENT_CHAT_NAME-}" ] || return 0',
  'one=${1-} at=${1:-$PPID}',
  'while [ "${at:-0}" -gt 1 ] 2>/dev/null; do',
  'own=$(tr "\\0\\n" "\\n\\1" 2>/dev/null <"/proc/$at/environ")',
  'there=$(printf "%s\\n" "$own" | sed -n "s/^AGENT_CHAT_HOME=//p") home=$(printf "%s\\n" "$own" | sed -n "s/^HOME=//p")',
  '{ read -r boot </proc/sys/kernel/random/boot_id && read -r stat <"/proc/$at/stat"; } 2>/dev/null && set -- ${stat##*) } || set --',
  'began=${20:+${boot%%-*}-${20}[\\"@]}',
  'cat "${AGENT_CHAT_HOME-}/sessions.json" "${HOME-}/agent-chat/sessions.json" "$there/sessions.json" "$home/agent-chat/sessions.json" 2>/dev/null | tr -d "\\n" | grep -q "\\"agent\\": *{ *\\"pid\\": *$at, *\\"started\\": *\\"$began" && return 0',
  '[ -z "$one" ] || return 1',
  'at=$(sed -n "s/^PPid:[^0-9]*//p" "/proc/$at/status" 2>/dev/null || ps -o ppid= -p "$at" | tr -d " ")',
  'done',
  'return 1',
  '}',
].join('\n')

/**
 * Has the entry judge a call. Where that fails, gives this answer in a session of ours. `client`: a
 * word with its pid, where it says that.
 */
export function judges(answer: object, client = ''): string {
  return [
    // The entry ends in another program; one that was cut off falls through. What it said before it
    // failed is no answer.
    'said=$( ( set -- --guarded "$@"; . "$0"; exit 7 ) 2>/dev/null ) && { printf %s "$said"; exit 0; }',
    'PATH=${PATH-}:/usr/bin:/bin',
    OURS,
    `ours "${client}" && echo '${JSON.stringify(answer)}'`,
    'exit 0',
  ].join('\n')
}

/** Why nobody judged a call. */
export const UNJUDGED =
  'agent-chat: its hook cannot run (no working Node, or a damaged file), so nobody knows whose turn this is.'

export const ASKED = `${UNJUDGED} Yes allows this one call. See: agent-chat doctor`
export const REFUSED = `${UNJUDGED} The call is refused. Tell your user to run in a terminal: agent-chat doctor`
