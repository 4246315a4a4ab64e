import { expect } from 'vitest'
import { namesIn } from '../../../src/system/files.ts'
import { assign, breaks, type Case, consult, field, hangs, says } from './play.ts'
import { type Team, tool } from './team.ts'

/** How it goes wrong: the person is told who, why and what next, and never left waiting. */
export const FAILURES: Case[] = [
  {
    name: 'silence: who did not answer is named',
    others: ['planner'],
    plays: [
      {
        ...{ who: 'chatter', at: /plan it/ },
        steps: [
          consult('planner', 'HANG', { timeout_seconds: 2 }),
          (heard) => ({ text: `${field(heard, 'timeout')}: ${field(heard, 'suggestion')}` }),
        ],
      },
      hangs('planner', /HANG/),
    ],
    play: async ({ ask }) => {
      expect(await ask('plan it')).toMatch(/^true.*: Tell your user that @planner did not answer/)
    },
  },
  {
    name: 'one that dies, and one whose key is refused: each consult ends and says so',
    others: ['planner', 'researcher'],
    plays: [
      {
        ...{ who: 'chatter', at: /who is left/ },
        steps: [
          consult('planner', 'HANG'),
          consult('researcher', 'REFUSED'),
          (heard) => ({ text: field(heard, 'error') }),
        ],
      },
      {
        ...{ who: 'planner', at: /HANG/ },
        steps: [
          (_, { workers }) => {
            process.kill(workers.planner?.pid ?? 0, 'SIGKILL')
            return new Promise(() => {})
          },
        ],
      },
      breaks('researcher', /REFUSED/, 401, 'authentication_error'),
    ],
    play: async ({ ask, calls }) => {
      expect(await ask('who is left')).toMatch(/^@researcher has left, or its agent has ended/)
      expect(calls()).toEqual(['consult SESSION_GONE', 'consult SESSION_GONE'])
    },
  },
  {
    name: 'wrong parameters and unknown names are told of in words, and do not end the turn',
    others: ['backend'],
    plays: [
      {
        ...{ who: 'chatter', at: /do something/ },
        steps: [
          [
            tool('assign_task', { to: 'backend' }),
            assign('backend', ' '),
            assign('nobody', 'x'),
            tool('escalate', { question: 'Which?', options: ['one'] }),
          ],
          (heard) => ({
            text: [...heard.matchAll(/"error":"([^"]+)"/g)].map(([, error]) => error).join(' | '),
          }),
        ],
      },
    ],
    play: async ({ ask, prompted }) => {
      expect(await ask('do something')).toBe(
        'Task is missing | Task cannot be empty | no session named @nobody is registered | Options is a list of 2 to 4 texts',
      )
      expect(prompted()).toEqual(['chatter'])
    },
  },
  {
    name: 'the API refuses what the chatter says: the person is told',
    others: [],
    plays: [breaks('chatter', /hello/, 400, 'invalid_request_error')],
    play: async ({ ask }) => {
      expect(await ask('hello')).toMatch(/^I could not finish this: /)
    },
  },
  {
    name: 'a worker fails its task: the chatter hears why, and tells the person',
    others: ['frontend'],
    plays: [
      {
        ...{ who: 'chatter', at: /draw it/ },
        steps: [assign('frontend', 'IMPOSSIBLE'), { text: '@frontend has it.' }],
      },
      {
        ...{ who: 'chatter', at: /^Result[\s\S]*could not finish/m },
        steps: [tool('send', { to: 'human', message: '@frontend failed; shall I ask @backend?' })],
      },
      breaks('frontend', /IMPOSSIBLE/, 400, 'invalid_request_error'),
    ],
    play: async ({ ask, told }) => {
      expect(await ask('draw it')).toBe('@frontend has it.')
      await told(/@frontend failed/)
    },
  },
  {
    name: 'a result gives out no more work: the chatter tells the person instead',
    others: ['frontend', 'backend'],
    plays: [
      {
        ...{ who: 'chatter', at: /begin/ },
        steps: [assign('backend', 'PART ONE'), { text: 'begun' }],
      },
      {
        ...{ who: 'chatter', at: /^Result/m },
        steps: [
          assign('frontend', 'PART TWO'),
          (heard) =>
            tool('send', { to: 'human', message: `Shall I go on? ${field(heard, 'code')}` }),
        ],
      },
      says('backend', /PART ONE/, 'one'),
      says('frontend', /PART TWO/, 'two'),
      {
        ...{ who: 'chatter', at: /go on/ },
        steps: [assign('frontend', 'PART TWO'), { text: 'going on' }],
      },
    ],
    play: async ({ ask, told, calls }) => {
      expect(await ask('begin')).toBe('begun')
      await told(/Shall I go on\? GATE_REFUSED/)
      expect(await ask('go on')).toBe('going on')
      expect(calls().slice(0, 4)).toEqual([
        ...['assign_task ok', 'assign_task GATE_REFUSED', 'send ok', 'assign_task ok'],
      ])
    },
  },
  {
    name: 'the server of its tools is killed between two calls, and in the middle of one',
    others: ['planner'],
    plays: [
      {
        ...{ who: 'chatter', at: /carry on/ },
        steps: [
          tool('who'),
          (_, team) => {
            killServer(team)
            return consult('planner', 'KILL')
          },
          consult('planner', 'again'),
          (heard) => ({ text: field(heard, 'answer') }),
        ],
      },
      {
        ...{ who: 'planner', at: /KILL/ },
        steps: [
          (_, team) => {
            killServer(team)
            return { text: 'too late' }
          },
        ],
      },
      says('planner', /again/, 'here I am'),
    ],
    play: async ({ ask, calls }) => {
      expect(await ask('carry on')).toBe('here I am')
      expect(calls().at(-1)).toBe('consult ok')
    },
  },
]

/** Ends every server of our tools in this home, as a crash would. */
function killServer({ home }: Team): void {
  const pids = namesIn(home.mcpServers).map((file) => Number.parseInt(file, 10))
  expect(pids).not.toEqual([])
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}
