import { existsSync } from 'node:fs'
import { logLine } from '../system/log.ts'
import { notification, permissionRequest, sessionEnd, stop } from './events/activity.ts'
import { bell, cwdChanged, joined, startRing, stopRing } from './events/bell.ts'
import { userPromptSubmit } from './events/prompt.ts'
import { sessionStart } from './events/session-start.ts'
import { subagentStart } from './events/subagent.ts'
import { preToolUse } from './events/tool.ts'
import { postToolUse } from './events/tool-end.ts'
import { mayBeParticipant } from './participant.ts'
import { type Payload, parsePayload } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { answer, type Reply, SILENT } from './reply.ts'

/**
 * A hook, and what a fault of our own in it means: `open`, the session goes on as if there were no
 * hook, and what is lost says `costs`; `closed`, what the hook judges is stopped, unless this agent
 * is no session of ours.
 */
type Hook = {
  run: (ports: HookPorts, payload: Payload) => Reply
  onFault: 'open' | 'closed'
  costs: string
}

/** The hooks by the word that `hooks.json` gives them. */
export const HOOKS: Record<string, Hook> = {
  'session-start': {
    run: sessionStart,
    onFault: 'open',
    costs: 'the native doorbell is not armed; the tmux doorbell rings',
  },
  'start-ring': { run: startRing, onFault: 'open', costs: 'the tmux doorbell rings 5 s later' },
  'user-prompt-submit': {
    run: userPromptSubmit,
    onFault: 'open',
    costs: 'a typed ring does not count as presented',
  },
  'permission-request': {
    run: permissionRequest,
    onFault: 'open',
    costs: 'only the screen shows that a dialog is open',
  },
  notification: { run: notification, onFault: 'open', costs: 'the state is not updated' },
  'pre-tool-use': {
    run: preToolUse,
    onFault: 'closed',
    costs: 'you are asked about a call that needed no question',
  },
  'subagent-start': {
    run: subagentStart,
    onFault: 'open',
    costs: 'its calls count as part of a closed turn, if one has started any',
  },
  'post-tool-use': {
    run: postToolUse,
    onFault: 'open',
    costs: 'work or a yes is not counted: the gate stays closed',
  },
  stop: {
    run: stop,
    onFault: 'open',
    costs: 'the state stays busy; the watcher looks at the screen after 3 s',
  },
  'stop-ring': {
    run: stopRing,
    onFault: 'open',
    costs: 'messages of the turn ring by tmux 5 s later, or with the next message',
  },
  'session-end': {
    run: sessionEnd,
    onFault: 'open',
    costs: 'only the process shows that the agent is gone',
  },
  'cwd-changed': {
    run: cwdChanged,
    onFault: 'open',
    costs: 'the native doorbell may fall silent; the tmux doorbell rings',
  },
  bell: { run: bell, onFault: 'open', costs: 'the tmux doorbell rings 5 s later' },
  joined: { run: joined, onFault: 'open', costs: 'the next /clear arms the native doorbell' },
}

/** Answers one hook. A fault of our own is logged where `doctor` finds it. */
export function runHook(word: string | undefined, stdin: () => string, ports: HookPorts): Reply {
  try {
    const payload = parsePayload(stdin())
    if (!payload) noteFault(word, new Error('the payload is not a JSON object'), ports)
    const hook = word !== undefined && Object.hasOwn(HOOKS, word) ? HOOKS[word] : undefined
    return hook ? hook.run(ports, payload ?? {}) : SILENT
  } catch (error) {
    noteFault(word, error, ports)
    const closed = word !== undefined && HOOKS[word]?.onFault === 'closed'
    return closed && mayBeParticipant(ports) ? ASK : SILENT
  }
}

const ASK = answer('PreToolUse', {
  permissionDecision: 'ask',
  permissionDecisionReason:
    'agent-chat could not tell who started this turn: a bug in agent-chat (see agent-chat doctor)',
})

/** Runs what is only true once the answer was written. */
export function afterReply(word: string | undefined, reply: Reply, ports: HookPorts): void {
  try {
    reply.after?.()
  } catch (error) {
    noteFault(word, error, ports)
  }
}

function noteFault(word: string | undefined, error: unknown, ports: HookPorts): void {
  try {
    const { home } = ports.bus()
    // A hook is no reason to make a home.
    if (!existsSync(home.root)) return
    logLine(
      home.hookLog,
      `${word}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } catch {
    // Without a home there is nobody to tell.
  }
}
