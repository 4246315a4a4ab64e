import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { becomePlan, paneArgv } from './paneShell.ts'

const DUMP = 'console.log(JSON.stringify([process.argv.slice(1), process.env]))'
/** A program that only prints what it is told to print. */
const PROGRAM = 'process.stdout.write(process.env.PLAN)'

/** What an agent gets that a pane with this environment begins. */
function agentOf(args: string[], env: NodeJS.ProcessEnv, panes: NodeJS.ProcessEnv) {
  const argv = [process.execPath, '-e', DUMP, '--', ...args]
  const become = paneArgv({ node: '', script: '', home: '' }, 'backend', '').at(-1) ?? ''
  const program = join(tempDirectory(), 'program.cjs')
  writeFileSync(program, PROGRAM)
  const shell = ['-c', become, 'agent-chat', process.execPath, program, 'backend', '/no/handover']
  const all = { PATH: process.env.PATH, ...panes, PLAN: becomePlan(argv, env, panes) }
  return JSON.parse(execFileSync('sh', shell, { env: all, encoding: 'utf8' })) as [
    string[],
    Record<string, string>,
  ]
}

test('the arguments and the variables are what they were, whatever stands in them', () => {
  const texts = [
    '',
    ' ',
    '\n',
    'a\n+b\n\n',
    '.',
    'E',
    '$(exit 3)',
    '`exit 3`',
    '\'"\\',
    '\\n',
    'é\t$',
  ]
  const env = Object.fromEntries(texts.map((text, at) => [`TEXT_${at}`, text]))
  const names = { IFS: 'x', item: 'y', line: 'z', PS4: '$(exit 3)' }
  const [args, got] = agentOf(texts, { ...env, ...names }, {})
  expect(args).toEqual(texts)
  expect(got).toMatchObject({ ...env, ...names })
})

test('what the pane has and the caller had not is gone; what both have stays', () => {
  const [, got] = agentOf([], { BOTH: 'same' }, { BOTH: 'same', OLD: 'secret' })
  expect(got.BOTH).toBe('same')
  expect(got.OLD).toBeUndefined()
  expect(Object.keys(got).filter((name) => name.startsWith('_ac_'))).toEqual([])
})

test('what no shell can set is left out', () => {
  expect(
    becomePlan(['x'], { 'a-b': '1', UID: '7', _: 'y', 'BASH_FUNC_f%%': '() { :; }' }, {}),
  ).toBe('Ax\n.\n')
})
