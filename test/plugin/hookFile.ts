// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell and Claude Code replace.
/**
 * How Claude Code starts our hooks. `hooks.json` holds these lines itself: a file of the plugin that
 * is missing or damaged must neither stop a prompt (exit 2) nor let a call pass.
 */

/**
 * Starts nothing in a session that never joined, which `src/hooks/stranger.ts` marks: nobody has
 * joined or left since its SessionStart, which is the same registry by the home of this hook and by
 * that of SessionStart. It takes no process of its own. A doubt goes on: a hook that its client did
 * not start itself, a process of another start, whoever has a name, a registry that was edited.
 */
const PASSES = [
  'm=$CLAUDE_PLUGIN_DATA/strangers/$PPID',
  'same() {',
  's=$m/${b%%-*}-${20} h=${AGENT_CHAT_HOME:-${HOME-}/agent-chat}/sessions.json',
  '[ -f "$s" ] && [ ! "$m/now" -nt "$m" ] || return',
  'if [ -e "$m/now" ]; then [ "$s" -ef "$m/now" ] && [ "$s" -ef "$h" ]; else [ ! -e "$h" ]; fi',
  '}',
  '[ -L "$m/now" ] && [ "$PPID" = "${CLAUDE_PID-}" ] && [ -z "${AGENT_CHAT_NAME+x}${AGENT_CHAT_WORKER+x}" ] &&',
  'read -r b </proc/sys/kernel/random/boot_id && read -r s <"/proc/$PPID/stat" && same ${s##*) } && exit 0',
].join('\n')

/** Runs the entry, and ends silently where that fails. */
const STARTS = '( . "$0" ) 2>/dev/null; exit 0'

/** The same for a hook whose end with 2 wakes the agent: a file that is no shell script does not. */
const RINGS = '/bin/sh -n "$0" 2>/dev/null && . "$0"; exit 0'

const ANSWER = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason:
      'agent-chat: its hook cannot run (no working Node, or a damaged file), so nobody knows whose turn this is. Yes allows this one call. See: agent-chat doctor',
  },
})

/**
 * Has the entry judge a call. Where that fails, asks in a session of ours: one with a name in its
 * environment, or whose client is registered in the home of the hook, of the user or of the client.
 */
const JUDGES = [
  // The entry ends in another program; one that was cut off falls through.
  '( . "$0"; exit 7 ) 2>/dev/null && exit 0',
  'PATH=${PATH-}:/usr/bin:/bin',
  'own=$(tr "\\0" "\\n" 2>/dev/null <"/proc/${CLAUDE_PID:-none}/environ")',
  'at=$(printf "%s\\n" "$own" | sed -n "s/^AGENT_CHAT_HOME=//p") home=$(printf "%s\\n" "$own" | sed -n "s/^HOME=//p")',
  'if [ -n "${AGENT_CHAT_NAME-}" ] || grep -qs "\\"pid\\": *${CLAUDE_PID:-none}," "${AGENT_CHAT_HOME-}/sessions.json" "${HOME-}/agent-chat/sessions.json" "$at/sessions.json" "$home/agent-chat/sessions.json"; then',
  `echo '${ANSWER}'`,
  'fi',
  'exit 0',
].join('\n')

/** The arguments of `sh` for the hook of this word. */
export function argsOf(word: string): string[] {
  const rings = word === 'bell' || word.endsWith('-ring')
  const guard = word === 'pre-tool-use' ? JUDGES : rings ? RINGS : STARTS
  const whole = word === 'session-start' ? guard : `${PASSES}\n${guard}`
  return ['-c', whole, '${CLAUDE_PLUGIN_ROOT}/bin/agent-chat', '--hook', word]
}
