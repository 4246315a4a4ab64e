// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell and Claude Code replace.
/** How Claude Code starts our hooks: what `hooks.json` holds. */
import { ASKED, judges, STARTS } from '../../src/setup/hookGuard.ts'

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

/** As `STARTS`, for a hook whose end with 2 wakes the agent: a file that is no shell script does not. */
const RINGS = '/bin/sh -n "$0" 2>/dev/null && . "$0"; exit 0'

const ANSWER = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: ASKED,
  },
}

/** The arguments of `sh` for the hook of this word. */
export function argsOf(word: string): string[] {
  const rings = word === 'bell' || word.endsWith('-ring')
  const guard = word === 'pre-tool-use' ? judges(ANSWER, '${CLAUDE_PID-}') : rings ? RINGS : STARTS
  const whole = word === 'session-start' ? guard : `${PASSES}\n${guard}`
  return ['-c', whole, '${CLAUDE_PLUGIN_ROOT}/bin/agent-chat', '--hook', word]
}
