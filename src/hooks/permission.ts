import type { Home } from '../bus/home.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { readOwnHeader } from '../message/header.ts'
import { changeState } from '../session/stateFile.ts'
import { changeTurn } from '../session/subagents.ts'
import type { Grade, Turn } from '../session/turn.ts'
import { readPlainFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { runNow } from '../system/runNow.ts'
import { toolOf } from './call.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { allowed, answer, type Reply, SILENT } from './reply.ts'

/** The hook's own time is 30 s. In milliseconds. */
const DECIDE_MS = 20_000

/** No answer to a decision is longer. In bytes. */
const MAX_BYTES = 256 * 1024

/**
 * Puts a call to the human as a decision, for an agent that has no dialog which a hook could open:
 * the call is refused until they have said yes, and then tried again. A process of our own does
 * that, since it needs what no hook loads. `early`: the call is told of again before it runs, and
 * their yes is used then. `grade`: what a yes may cover for the rest of the turn, and `like` in words;
 * `changes`: whether the call may change what a command does.
 */
export function byDecision(
  { bus, env, self, agent }: HookPorts,
  payload: Payload,
  {
    name,
    at,
    early,
    grade,
    like,
    changes,
  }: {
    name: string
    at: string | undefined
    early: boolean
    grade: Grade | undefined
    like: string | undefined
    changes: boolean
  },
): Reply {
  const call = toolOf(payload)
  const { stdout } = runNow(
    [self.node, self.script, 'gate', '--decide'],
    JSON.stringify({
      ...{ name, call, cwd: textOf(payload, 'cwd') ?? '', early },
      like,
    }),
    { ...env, AGENT_CHAT_NAME: name, AGENT_CHAT_HOME: bus().home.root },
    DECIDE_MS,
  )
  const said = parse(stdout)
  if (said?.allow !== true)
    return answer('PreToolUse', {
      permissionDecision: 'deny',
      permissionDecisionReason: said?.message ?? noAnswer(agent?.title ?? 'the agent'),
    })
  if (early) return allowed('your user has allowed it')
  const more = said.more === 'like' ? grade : said.more
  const allowedTurn = (turn: Turn): Turn => ({
    ...turn,
    ...(changes ? { changed: true } : {}),
    ...(more ? { granted: [...(turn.granted ?? []), more] } : {}),
  })
  changeState(bus(), name, (before) => before && changeTurn(before, at, allowedTurn))
  return SILENT
}

function noAnswer(title: string): string {
  return `agent-chat: ${title} cannot ask your user about this call, and no decision could be stored (see agent-chat doctor)`
}

type Said = { allow: boolean; more?: 'all' | 'like'; message?: string }

function parse(stdout: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(stdout)
    return typeof value === 'object' && value !== null && 'allow' in value
      ? (value as Said)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether an unread message answers a decision about a call: that is a yes or no to the one call,
 * and opens no turn.
 */
export function answersPermission(home: Home, name: string): boolean {
  const asked: unknown = readJson(home.workerAsked(name))
  const ids = Array.isArray(asked) ? asked.map((one: unknown) => Object(one).id) : []
  return (
    ids.length > 0 &&
    unreadIds(home, name).some((id) => {
      const bytes = readPlainFile(home.unread(name, id), MAX_BYTES)
      const header = Buffer.isBuffer(bytes) ? readOwnHeader(bytes.toString('utf8')) : undefined
      return ids.includes(header?.data.in_reply_to)
    })
  )
}
