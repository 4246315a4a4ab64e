import { existsSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOOKS as SESSION_HOOKS } from '../../src/hooks/main.ts'
import { parsePayload } from '../../src/hooks/payload.ts'
import type { Reply } from '../../src/hooks/reply.ts'
import { afterReply, runHook } from '../../src/hooks/run.ts'
import { AFTER_TOOL, BEFORE_TOOL } from '../../src/hooks/tools.ts'
import { placeWith } from '../../src/testing/place.ts'
import { effectOf } from '../../src/trust/shell/reading.ts'
import { effectOfTool } from '../../src/trust/toolGate/tool.ts'
import { anyString, anyText } from './arbitraries.ts'
import { forAll } from './cases.ts'
import { FAULTS, hookWorld, TURNS, type TurnName } from './hookWorld.ts'
import { anyPayload, type Places } from './payloads.ts'
import { watchWrites } from './writes.ts'

const HOOKS = { ...SESSION_HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }

/** Those that may wake the agent, by exit code 2. */
const RINGING = ['bell', 'start-ring', 'stop-ring']
const RING = /^(New message|\d+ new messages)( from (@[a-z][a-z0-9-]*(, )?)+)?\. Check inbox\.\n$/

const entry = fc.record(
  {
    type: fc.constantFrom('user', 'assistant'),
    promptId: fc.constantFrom('turn-1', 'turn-2'),
    turnOrigin: fc.oneof(fc.constantFrom('human', 'peer', 'sdk'), anyString),
    operation: fc.constant('enqueue'),
    content: fc.oneof(fc.constant('hello'), fc.jsonValue()),
    timestamp: fc.oneof(fc.constant('2026-11-21T07:59:30.000Z'), anyString),
  },
  { requiredKeys: [] },
)
const transcript = fc
  .array(
    fc.oneof(
      entry.map((value) => JSON.stringify(value)),
      anyText(40),
    ),
    { maxLength: 4 },
  )
  .map((lines) => `${lines.join('\n')}\n`)

/** A turn in which this hook finds its answer at once, without waiting for another hook. */
function turnFor(word: string, text: string, turn: TurnName): TurnName {
  if (word === 'stop-ring') return turn === 'none' ? 'none' : 'idle'
  if (word === 'pre-tool-use' && turn === 'asked')
    return parsePayload(text)?.tool_use_id === 'call-1' ? 'asked' : 'closed'
  return (word === 'start-ring' || word === 'bell') && turn === 'none' ? 'idle' : turn
}

/** What a hook's answer must look like, whatever was asked. */
function expectAnswer(word: string, { stdout, stderr, exit }: Reply): void {
  if (stdout !== undefined) {
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/)
    const [field] = Object.keys(JSON.parse(stdout))
    expect(['hookSpecificOutput', 'systemMessage']).toContain(field)
  }
  expect(exit === 2).toBe(stderr !== undefined)
  expect([undefined, 2]).toContain(exit)
  if (exit === 2)
    expect([RINGING.includes(word), stderr]).toEqual([true, expect.stringMatching(RING)])
}

function decisionIn({ stdout }: Reply): unknown {
  return stdout === undefined
    ? undefined
    : JSON.parse(stdout).hookSpecificOutput?.permissionDecision
}

/** The hooks of this world run in no directory. */
const ELSEWHERE = placeWith({ isOwn: () => false, holdsOthers: () => true, isRoot: () => false })

/** What a tool call does, as the gate sees it: one that cannot be read may do anything. */
function effectIn(text: string): string {
  const { tool_name: name, tool_input: input } = parsePayload(text) ?? {}
  const fields = typeof input === 'object' && input !== null ? { ...input } : {}
  return effectOfTool({ name: typeof name === 'string' ? name : '', input: fields }, ELSEWHERE)
}

/** A question to the human needs no dialog before it: the hook adds the sender's name. */
function asksItself(text: string): boolean {
  return parsePayload(text)?.tool_name === 'AskUserQuestion'
}

export function hookProperties(): void {
  describe('hooks', () => {
    const words = fc.constantFrom(
      ...Object.keys(HOOKS),
      'pre-tool-use',
      'pre-tool-use',
      'user-prompt-submit',
    )
    const setting = fc.record({
      turn: fc.constantFrom(...TURNS),
      fault: fc.oneof(
        { weight: 3, arbitrary: fc.constant('nothing' as const) },
        { weight: 1, arbitrary: fc.constantFrom(...FAULTS) },
      ),
      mode: fc.constantFrom('enforce', 'enforce', 'warn', 'off'),
      unread: fc.nat(2),
    })

    test('answer within their contract whatever they are told, write in the home alone, and let no change pass that is to be asked', async () => {
      const world = hookWorld()
      const { home } = world.bus
      const places: Places = {
        outside: world.outside,
        ring: home.ring('frontend'),
        joins: `${home.joinsBell}/${process.pid}`,
      }
      const property = fc.asyncProperty(
        words,
        anyPayload(places),
        setting,
        transcript,
        async (word, text, { turn, fault, mode, unread }, told) => {
          const now = turnFor(word, text, turn)
          world.reset(now, unread, mode)
          writeFileSync(`${world.outside}/transcript.jsonl`, told)
          const ports = world.ports(fault)
          const writes = watchWrites()
          let reply: Reply
          try {
            reply = await runHook(HOOKS, word, () => text, ports)
            afterReply(word, reply, ports)
          } finally {
            writes.stop()
          }
          expectAnswer(word, reply)
          const strays = [...writes.paths].filter(
            (path) => !path.startsWith(`${home.root}/`) && path !== world.envFile,
          )
          expect(strays.filter((path) => path !== home.root)).toEqual([])
          expect(({} as Record<string, unknown>).polluted).toBeUndefined()
          if (fault === 'no home') expect(existsSync(home.root)).toBe(false)
          const closed = now === 'closed' || now === 'asked'
          if (
            word === 'pre-tool-use' &&
            fault !== 'no home' &&
            closed &&
            mode === 'enforce' &&
            effectIn(text) === 'changing' &&
            !asksItself(text)
          )
            expect(['ask', 'deny']).toContain(decisionIn(reply))
        },
      )
      await forAll('hooks', 1200, property)
    })

    test('of no known word say nothing', async () => {
      const world = hookWorld()
      world.reset('closed', 1, 'enforce')
      const word = fc.oneof(
        anyString,
        fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', undefined),
      )
      const property = fc.property(word, (text) => {
        fc.pre(text === undefined || !Object.hasOwn(HOOKS, text))
        expect(runHook(HOOKS, text, () => '{}', world.ports('nothing'))).toEqual({})
      })
      await forAll('words', 200, property)
    })
  })

  describe('what counts as reading', () => {
    const piece = fc.constantFrom(
      ...[
        'ls',
        'cat',
        'git',
        'log',
        'echo',
        'agent-chat',
        'send',
        'find',
        'sort',
        '-o',
        ' ',
        '  ',
        '"',
        "'",
        '\\',
        '$',
        '`',
      ],
      ...[
        '(',
        ')',
        '{',
        '}',
        '&',
        '&&',
        '|',
        '||',
        ';',
        '>',
        '<',
        '<<',
        'EOF',
        '\n',
        '\t',
        '\r',
        '*',
        '~',
        '=',
        'A=1',
        '\u00a0',
        'é',
      ],
    )
    const command = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      anyText(60),
    )
    const CHANGES = [
      '\nrm -rf x',
      '; rm -rf x',
      ' && rm x',
      ' | sh',
      ' > x',
      ' $(rm x)',
      ' `rm x`',
      ' & rm x',
      '\n> x',
    ]

    test('is never a command with something behind it that changes things', async () => {
      const property = fc.property(command, fc.constantFrom(...CHANGES), (text, change) => {
        // In quotes, after a backslash or behind a sign for a comment it would be no command of its
        // own.
        fc.pre(!/["'\\#]/.test(text) && !text.includes('<<'))
        expect([`${text}${change}`, effectOf(`${text}${change}`, placeWith()).effect]).toEqual([
          `${text}${change}`,
          'changing',
        ])
      })
      await forAll('commands', 2000, property)
    })

    test('is told of any text, however odd', async () => {
      const property = fc.property(fc.oneof(command, anyString), (text) => {
        expect(['own', 'reading', 'changing']).toContain(effectOf(text, placeWith()).effect)
      })
      await forAll('shell texts', 1000, property)
    })
  })
}
