import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../../src/bus/bus.ts'
import { readUnread } from '../../../src/bus/mail/inbox.ts'
import type { Message } from '../../../src/message/message.ts'
import {
  openPermission,
  type Permission,
  type PermissionRequest,
} from '../../../src/worker/permission/permission.ts'
import { eventually } from '../harness/poll.ts'
import type { World } from '../harness/world.ts'

type Line = Readonly<Record<string, unknown>>

/** A client that is driven as a worker's process does it, by the process of the test. */
export interface Driven {
  readonly permission: Permission
  readonly lines: readonly Line[]
  /** Whether the client's hooks had seen the turn, at each of its requests. */
  readonly gated: readonly boolean[]
  /** What it waits for, if it does. */
  waits(): string | undefined
  /** Gives the client a message that waits in the inbox, and its prompt. */
  give(message: Message): void
  /** Writes a line that nobody gave. */
  say(text: string): void
  /** Waits for the end of so many turns, from the client's start on. */
  results(count: number): Promise<void>
  kill(): Promise<void>
}

export interface DriveOptions extends Partial<PermissionRequest> {
  bus: Bus
  root: string
  env?: Readonly<Record<string, string>>
  args?: readonly string[]
  settings?: Readonly<Record<string, unknown>>
}

/** Starts the client of a worker, with the whole of the real gate. */
export function drive(world: World, options: DriveOptions): Driven {
  const { bus, root, name = 'coder', tools = ['Bash', 'Read', 'Write'] } = options
  let waits: string | undefined
  const permission = openPermission(
    {
      ...{ name, tools, trust: 'ask', cwd: world.cwd, onWait: (reason) => (waits = reason) },
      ...options,
    },
    {
      env: {},
      bus: () => bus,
      notice: () => {},
      self: { node: RUNTIME, script: `${root}/dist/main.js` },
    } as unknown as Parameters<typeof openPermission>[1],
  )
  const settings = `${world.dir}/${randomUUID()}.json`
  writeFileSync(settings, JSON.stringify(options.settings ?? {}))
  const child = spawn(
    world.claude,
    [
      ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...[
        '--include-partial-messages',
        '--plugin-dir',
        root,
        '--permission-prompt-tool',
        'stdio',
        '--settings',
        settings,
      ],
      ...['--tools', tools.join(','), ...(options.args ?? [])],
    ],
    {
      cwd: world.cwd,
      env: {
        ...world.env,
        AGENT_CHAT_NAME: name,
        AGENT_CHAT_WORKER: name,
        AGENT_CHAT_NOTIFY: 'off',
        ...options.env,
      },
    },
  )
  const lines: Line[] = []
  const gated: boolean[] = []
  const write = (line: unknown) => child.stdin.write(`${JSON.stringify(line)}\n`)
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Line = JSON.parse(text)
    lines.push(line)
    if (line.type === 'system' && line.status === 'requesting') gated.push(permission.isGated())
    if (line.type === 'result') permission.over()
    if (line.type === 'control_request') void answer(line, permission, write)
  })
  child.stdin.on('error', () => undefined)
  const say = (text: string) => write({ type: 'user', message: { role: 'user', content: text } })
  return {
    permission,
    lines,
    gated,
    waits: () => waits,
    give: (message) => {
      const prompt = `From @${message.from}:\n\n${message.body}`
      permission.give(message, prompt)
      say(prompt)
    },
    say,
    results: async (count) => {
      await eventually(
        `${count} results`,
        () => lines.filter(({ type }) => type === 'result').length >= count,
        {
          timeoutMs: 40_000,
          state: () => lines.map((line) => JSON.stringify(line).slice(0, 400)).join('\n'),
        },
      )
    },
    kill: () => {
      // What it waits for in this process would otherwise outlive it, and take the answer.
      permission.over()
      return end(child)
    },
  }
}

/** The oldest message that a worker has not read. */
export async function nextMessage(bus: Bus, name = 'coder'): Promise<Message> {
  return eventually(`a message for @${name}`, () => readUnread(bus, name).messages[0])
}

async function answer(
  { request_id, request }: Line,
  permission: Permission,
  write: (line: unknown) => void,
): Promise<void> {
  const { subtype, tool_name, input, decision_reason } = request as Record<string, unknown>
  if (subtype !== 'can_use_tool') return
  const call = {
    tool: String(tool_name),
    input: { ...(input as object) },
    reason: String(decision_reason ?? ''),
  }
  const decision = await permission.decide(call)
  const response = decision.allow
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: decision.message }
  write({ type: 'control_response', response: { subtype: 'success', request_id, response } })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await closed
}
