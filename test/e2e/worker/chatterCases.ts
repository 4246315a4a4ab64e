import { expect } from 'vitest'
import { until } from '../../../src/testing/until.ts'
import { startWork, stateOf } from '../../worker/stage.ts'
import { newText } from '../harness/request.ts'
import { assign, type Case, consult, field, says } from './play.ts'
import { tool } from './team.ts'

/** What the chatter is for. */
export const CASES: Case[] = [
  {
    name: 'a greeting is answered without a tool',
    others: [],
    plays: [says('chatter', /hello/, 'Hello! What shall we do?')],
    play: async ({ ask, world }) => {
      expect(await ask('hello')).toBe('Hello! What shall we do?')
      expect(world.api.main()).toHaveLength(1)
    },
  },
  {
    name: 'work: the researcher, then the planner, then the task; its result comes to the person',
    always: true,
    plays: [
      {
        ...{ who: 'chatter', at: /^Add a login/m },
        steps: [
          [{ text: 'Let me check with @researcher.' }, consult('researcher', 'Is there a login?')],
          (heard) => consult('planner', 'How?', { context: field(heard, 'answer') }),
          (heard) => assign('backend', field(heard, 'answer'), { estimated_minutes: 20 }),
          (heard) => ({ text: `@backend has it: ${field(heard, 'note')}` }),
        ],
      },
      {
        ...{ who: 'chatter', at: /^Result[\s\S]*all green/m },
        steps: [tool('send', { to: 'human', message: 'The login is done, says @backend.' })],
      },
      says('researcher', /Is there a login/, 'No login yet: see auth.ts.'),
      says('planner', /see auth\.ts/, 'Step 1: POST /login.'),
      says('backend', /POST \/login/, 'Login done, all green.'),
    ],
    play: async ({ ask, told, prompted, calls, workers }) => {
      expect(await ask('Add a login')).toContain(
        '@backend has it: expect the result within 20 minutes',
      )
      await told(/The login is done/)
      expect(prompted()).toEqual(['chatter', 'researcher', 'planner', 'backend', 'chatter'])
      await until('the last call to be written down', () => calls().length === 4)
      expect(calls()).toEqual(['consult ok', 'consult ok', 'assign_task ok', 'send ok'])
      expect(workers.chatter?.stdout()).toContain('Let me check with @researcher.')
    },
  },
  {
    name: 'it remembers: "multiply that by 3", also after it was killed',
    others: [],
    plays: [
      says('chatter', /what is 2 \+ 2/, '4'),
      {
        ...{ who: 'chatter', at: /multiply that by 3/ },
        steps: [
          (_, __, { messages }) => {
            const numbers = messages.filter(
              ({ role, text }) => role === 'assistant' && /^\s*\d+\s*$/.test(text),
            )
            return { text: String(Number(numbers.at(-1)?.text) * 3) }
          },
        ],
      },
    ],
    play: async (team) => {
      expect(await team.ask('what is 2 + 2')).toBe('4')
      expect(await team.ask('multiply that by 3')).toBe('12')
      process.kill(team.workers.chatter?.pid ?? 0, 'SIGKILL')
      await team.workers.chatter?.ended
      await startWork(team, 'chatter')
      expect(await team.ask('now multiply that by 3')).toBe('36')
    },
  },
  {
    name: 'it keeps 50 messages of context: its questions and its own answers',
    others: [],
    plays: [
      {
        ...{ who: 'chatter', at: /number \d+ of 26/ },
        steps: [
          (_, __, { messages }) => {
            const all = messages.map(({ text }) => text).join('\n')
            return { text: `${kinds(all, /number \d+ of 26/g)} and ${kinds(all, /heard-\d+/g)}` }
          },
        ],
      },
      {
        ...{ who: 'chatter', at: /note (\d+)\b/ },
        steps: [(heard) => ({ text: `heard-${/note (\d+)\b/.exec(heard)?.[1]}` })],
      },
    ],
    play: async ({ ask }) => {
      for (let at = 1; at <= 25; at += 1) expect(await ask(`note ${at}`)).toBe(`heard-${at}`)
      expect(await ask('number 26 of 26')).toBe('1 and 25')
    },
  },
  {
    name: 'a busy worker is refused a second task, and status says what it does',
    always: true,
    others: ['backend'],
    plays: [
      {
        ...{ who: 'chatter', at: /two things/ },
        steps: [
          assign('backend', 'LONG', { title: 'First' }),
          async (_, team) => {
            await until('it is busy', () => stateOf(team, 'backend')?.activity === 'busy')
            return [assign('backend', 'more'), tool('status', { name: 'backend' })]
          },
          // Its task has a state too: accepted, then working.
          (heard) => {
            const state = /"state":\s*"(busy)"/.exec(heard)?.[1]
            return { text: `${field(heard, 'error')}; it is ${state}` }
          },
        ],
      },
      says('chatter', /^Result/m, 'good'),
      {
        ...{ who: 'backend', at: /LONG/ },
        steps: [
          async (_, { calls }) => {
            await until('the look at it', () => calls().at(-1) === 'status ok')
            return { text: 'finished' }
          },
        ],
      },
    ],
    play: async ({ ask, calls, prompted, world }) => {
      expect(await ask('two things')).toMatch(/@backend .*First.*; it is busy/)
      expect(calls()).toEqual(['assign_task ok', 'assign_task SESSION_BUSY', 'status ok'])
      await world.api.waitFor('the result', (request) => /^Result \w+/m.test(newText(request)))
      expect(prompted()).toEqual(['chatter', 'backend', 'chatter'])
    },
  },
  {
    name: 'consults of one answer go one after the other; one that fails leaves the others alone',
    others: ['planner', 'researcher'],
    plays: [
      {
        ...{ who: 'chatter', at: /ask them all/ },
        steps: [
          [consult('planner', 'one?'), consult('nobody', 'two?'), consult('researcher', 'three?')],
          (heard) => ({
            text: [...heard.matchAll(/"(?:answer|code)":"(\w+)/g)].map(([, word]) => word).join(),
          }),
        ],
      },
      {
        ...{ who: 'planner', at: /one\?/ },
        steps: [{ blocks: [{ text: 'first' }], delayMs: 1500 }],
      },
      says('researcher', /three\?/, 'third'),
    ],
    play: async ({ ask, world }) => {
      expect(await ask('ask them all')).toBe('first,SESSION_UNKNOWN,third')
      const at = (text: string) =>
        world.api.main().find((one) => one.messages[0]?.text.includes(text))?.at ?? 0
      expect(at('three?') - at('one?')).toBeGreaterThan(1500)
    },
  },
  {
    name: 'agents disagree: the person decides, and the chatter goes on by that',
    others: ['backend'],
    plays: [
      {
        ...{ who: 'chatter', at: /they disagree/ },
        steps: [
          tool('escalate', {
            question: 'Which store?',
            context: '@planner wants Postgres, @researcher SQLite',
            options: ['Postgres', 'SQLite'],
            recommendation: 'SQLite: one file',
          }),
          (heard) => ({ text: `Decision ${field(heard, 'decision')} is yours.` }),
        ],
      },
      {
        ...{ who: 'chatter', at: /^Reply[\s\S]*SQLite/m },
        steps: [
          assign('backend', 'Use SQLite'),
          tool('send', { to: 'human', message: '@backend uses SQLite, as you said.' }),
        ],
      },
      says('backend', /Use SQLite/, 'used'),
      says('chatter', /^Result/m, 'good'),
    ],
    play: async ({ ask, told, type, calls }) => {
      expect(await ask('they disagree')).toMatch(/^Decision 1,? ?.*yours/)
      const shown = await type('agent-chat show 1')
      for (const text of ['Which store?', '@planner wants Postgres', '1. Postgres', 'one file'])
        expect(shown).toContain(text)
      await type('agent-chat reply 1 2')
      await told(/uses SQLite, as you said/)
      await until('the last call to be written down', () => calls().length === 3)
      expect(calls()).toEqual(['escalate ok', 'assign_task ok', 'send ok'])
    },
  },
]

/** How many texts fit, each counted once. */
function kinds(text: string, what: RegExp): number {
  return new Set(text.match(what)).size
}
