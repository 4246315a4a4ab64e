import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { fixedClock } from '../../src/testing/clock.ts'
import { tempBus } from '../../src/testing/home.ts'
import { anyName, anyText } from './arbitraries.ts'
import { forAll } from './cases.ts'
import { runInProcess } from './inProcess.ts'

/**
 * Commands that end by themselves, start nothing and write nowhere but in the home, with options of
 * theirs that do so, too.
 */
const COMMANDS: Record<string, string[]> = {
  send: [
    '--kind',
    '--subject',
    '--reply-to',
    '--question',
    '--urgent',
    '--quiet',
    '--as',
    '--json',
    '--file',
  ],
  task: ['--subject', '--urgent', '--quiet', '--as', '--json', '--file'],
  reply: ['--question', '--urgent', '--quiet', '--as', '--json', '--file'],
  accept: ['--as', '--json'],
  decline: ['-m', '--as', '--json'],
  done: ['--as', '--json', '--file'],
  fail: ['-m', '--as', '--json'],
  escalate: ['--option', '--recommend', '--as', '--json', '--context'],
  inbox: ['--peek', '--count', '--limit', '--budget', '--full', '--json'],
  history: ['--limit', '--with', '--json'],
  show: ['--json'],
  thread: ['--json'],
  tasks: ['--open', '--mine', '--json'],
  who: ['--json'],
  status: ['--json'],
  search: ['--from', '--to', '--since', '--limit', '--json', '--kind'],
  stats: ['--since', '--json'],
  gate: ['--json'],
  approve: ['--revoke', '--count', '--for', '--json', '--list'],
  pause: ['--json'],
  release: ['--json'],
  unpause: ['--json'],
  resume: ['--all', '--dry-run', '--json'],
  join: ['--json'],
  leave: ['--json'],
  rename: ['--json'],
  prune: ['--older-than', '--dry-run', '--json'],
}

const ID = '20261121T080000.000001Z-from-backend'
const word = fc.oneof(
  anyText(20),
  anyName,
  anyName.map((name) => `@${name}`),
  fc.constantFrom(
    '@frontend',
    '@backend',
    'frontend',
    'backend',
    'docs',
    'human',
    ID,
    ID.slice(0, 15),
    '1',
    '0',
    '-1',
    '1h',
    '30d',
    '-',
    '--',
    '',
    '99999999999',
    'all',
    'note',
    'done',
  ),
)
/** What a shell can hand over: no NUL. */
const argument = (flags: string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: word },
    { weight: 2, arbitrary: fc.constantFrom(...flags) },
    fc.tuple(fc.constantFrom(...flags), word).map(([flag, value]) => `${flag}=${value}`),
  )
const commandLine = fc
  .tuple(fc.constantFrom(...Object.entries(COMMANDS)), fc.boolean())
  .chain(([[verb, flags], json]) => {
    const head = [verb, ...(json ? ['--json'] : []), ...(verb === 'join' ? ['--no-watch'] : [])]
    return fc.array(argument(flags), { maxLength: 6 }).map((rest) => [...head, ...rest])
  })
  .map((argv) => argv.map((text) => text.replaceAll('\0', '')))

/** What is printed for a program; text for a terminal must not hold what a terminal obeys. */
function isData(text: string): boolean {
  try {
    for (const line of text.split('\n')) if (line !== '') JSON.parse(line)
    return true
  } catch {
    return false
  }
}

export function commandLineProperties(): void {
  describe('any command lines', () => {
    test('do what they say or are refused in two lines, and are never a fault', async () => {
      const who = fc.constantFrom('', 'frontend', 'backend', 'nobody')
      const lines = fc.array(fc.tuple(commandLine, who), {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      })
      const property = fc.asyncProperty(lines, async (all) => {
        const clock = fixedClock('2026-11-21T08:00:00.000Z')
        const bus = tempBus(['frontend', 'backend'], clock)
        for (const kind of ['task', 'question'])
          sendMessage(bus, { from: 'backend', to: 'frontend', kind, body: 'the contract' })
        for (const [argv, name] of all) {
          clock.set(clock.now() + 1000)
          const env: Record<string, string> = name === '' ? {} : { AGENT_CHAT_NAME: name }
          const { code, stdout, stderr } = await runInProcess(bus, argv, env)
          expect([0, 2, 3, 4, 5, 6, 8], `${argv.join(' ')}: ${stderr}`).toContain(code)
          if (code !== 0)
            expect(stderr).toMatch(/(^|\n)(agent-chat: .*\n {2}hint: .+\n|\{"error":.*\}\n)$/)
          if (code === 0 && argv[1] === '--json')
            expect([argv, isData(stdout)]).toEqual([argv, true])
          for (const text of [stdout, stderr])
            if (!isData(text)) expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        }
      })
      await forAll('command lines', 200, property)
    })
  })
}
