import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../testing/cli.ts'
import { tempDirectory } from '../../testing/home.ts'

/** Trying needs no home, and makes none. */
async function tried(args: string[], input = '', cwd = tempDirectory()) {
  const home = join(tempDirectory(), 'no-home')
  const run = await runCli(['gate', '--try', ...args], { home, cwd, input })
  expect(existsSync(home)).toBe(false)
  return run
}

test.each([
  ['git log --oneline | head -3', 'reading\n'],
  ['agent-chat inbox 2>&1 | head', 'own\n'],
  ['npm test', 'asks: the program npm\n'],
  ['ls > list', 'asks: a redirection to a file\n'],
  ['"$(cat name)" x', 'asks: a program whose name is only known when it runs\n'],
])('%j is judged where the command stands', async (command, stdout) => {
  expect(await tried([command])).toMatchObject({ code: 0, stdout, stderr: '' })
})

test('commands on standard input are judged line by line, as data', async () => {
  const commands = ['ls -la', 'rm -r x', 'agent-chat who', 'echo "a\nb" # two lines']
  const { code, stdout } = await tried(['-'], commands.map((one) => JSON.stringify(one)).join('\n'))
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { command: commands[0], effect: 'reading', why: 'it only reads' },
    { command: commands[1], effect: 'changing', why: 'the program rm' },
    { command: commands[2], effect: 'own', why: 'agent-chat' },
    { command: commands[3], effect: 'reading', why: 'it only reads' },
  ])
  const { stdout: one } = await tried(['ls', '--json'])
  expect(JSON.parse(one)).toEqual({ command: 'ls', effect: 'reading', why: 'it only reads' })
})

test('the directory is the one where it is tried', async () => {
  const directory = tempDirectory()
  mkdirSync(join(directory, 'nested', '.git'), { recursive: true })
  const cd = (where: string) => tried([`cd ${where} && git log`], undefined, directory)
  expect((await cd(join(directory, 'nested'))).stdout).toMatch(
    /^asks: cd to a directory that may belong to another/,
  )
  expect((await cd(directory)).stdout).toBe('reading\n')
})

test.each([
  [['-'], 'ls'],
  [['-'], '"ls"\n7'],
  [['ls', '--revoke', '@backend'], ''],
  [['ls', 'backend'], ''],
])('bad usage is told: %j with %j', async (args, input) => {
  const run = await tried(args, input)
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).toMatch(/^agent-chat: .+\n {2}hint: /)
})
