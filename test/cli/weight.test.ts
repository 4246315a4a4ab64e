import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { DIST, type Run, runCli } from '../../src/testing/cli.ts'
import { tempDirectory, tempHome } from '../../src/testing/home.ts'

/*
 * What a command loads is most of what it costs. These are the commands that agents run all the time and that have nothing to wait for; the
 * benchmark has their times.
 */

/**
 * Words that a library's code holds however it is minified; commander alone is in every command.
 */
const MARKS = {
  chokidar: 'awaitWriteFinish',
  execa: 'ExecaError',
  'gray-matter': 'excerpt_separator',
  'js-yaml': 'bad indentation of a mapping entry',
  'proper-lockfile': 'ECOMPROMISED',
}

/** Parts of Node that cost a tenth of a start-up. */
const HEAVY = ['child_process', 'crypto', 'net', 'tty', 'worker_threads']

/** `main.js`, `cli.js`, the command's own, and one that the case at hand needs. */
const MOST_FILES = 4

type Talk = { root: string; message: string; question: string; task: string }

const COMMANDS: [string, (talk: Talk) => string[]][] = [
  ['send', () => ['send', '@backend', 'moved']],
  ['reply', ({ message }) => ['reply', message, 'moved']],
  ['ask', ({ question }) => ['ask', '--resume', question]],
  ['task', () => ['task', '@backend', 'count them']],
  ['tasks', () => ['tasks', '--open']],
  ['accept', ({ task }) => ['accept', task]],
  ['done', ({ task }) => ['done', task, 'moved']],
  ['escalate', () => ['escalate', 'now?', '--option', 'yes', '--option', 'no']],
  ['status', () => ['status']],
  ['thread', ({ question }) => ['thread', question]],
  ['inbox', () => ['inbox']],
  ['history', () => ['history']],
  ['who', () => ['who']],
]

test('the marks are those of the libraries in this build', () => {
  const found = readdirSync(DIST)
    .filter((file) => file.endsWith('.js'))
    .flatMap(marksIn)
  expect([...new Set(found)].sort()).toEqual(Object.keys(MARKS))
})

test.each(COMMANDS)(
  '%s loads no library but commander, and nothing of Node that is heavy',
  async (_, argsOf) => {
    const talk = await startTalk()
    const { run, files, builtins } = await traced(argsOf(talk), talk.root)
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('hint:') })
    expect(files).toEqual(expect.arrayContaining(['main.js', 'cli.js']))
    expect(files.length).toBeLessThanOrEqual(MOST_FILES)
    expect(
      files.flatMap((file) => marksIn(file).map((library) => `${file} holds ${library}`)),
    ).toEqual([])
    expect(HEAVY.filter((name) => builtins.includes(name))).toEqual([])
  },
)

/** A home where `frontend` has a message, a task, and an answer to its question. */
async function startTalk(): Promise<Talk> {
  const { root } = tempHome('backend', 'frontend')
  const sent = async (name: string, ...args: string[]) =>
    idOf(await runCli(args, { home: root, env: as(name) }))
  const question = await sent('frontend', 'send', '@backend', '--question', 'a string?')
  await sent('backend', 'reply', question, 'a string')
  const message = await sent('backend', 'send', '@frontend', 'it has pages now')
  return {
    root,
    message,
    question,
    task: await sent('backend', 'task', '@frontend', 'move the list'),
  }
}

/**
 * Runs a command of `frontend`; gives the files of the build that it loaded, and the parts of Node.
 */
async function traced(
  args: string[],
  home: string,
): Promise<{ run: Run; files: string[]; builtins: string[] }> {
  const out = `${tempDirectory()}/loaded.json`
  const trace = `${out}.cjs`
  writeFileSync(
    trace,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify({
      files: Object.keys(require.cache), builtins: process.moduleLoadList })))`,
  )
  const run = await runCli(args, {
    home,
    onNode: true,
    env: { ...as('frontend'), NODE_OPTIONS: `--require=${trace}` },
  })
  const loaded: { files: string[]; builtins: string[] } = JSON.parse(readFileSync(out, 'utf8'))
  return {
    run,
    files: loaded.files.filter((path) => path.startsWith(DIST)).map((path) => basename(path)),
    builtins: loaded.builtins.map((name) => name.replace(/^NativeModule /, '')),
  }
}

function marksIn(file: string): string[] {
  const text = readFileSync(`${DIST}/${file}`, 'utf8')
  return Object.entries(MARKS).flatMap(([library, mark]) => (text.includes(mark) ? [library] : []))
}

function idOf({ stdout, stderr }: Run): string {
  const id = /^sent (\S+) to /m.exec(stdout)?.[1]
  if (id === undefined) throw new Error(`nothing was sent: ${stderr}`)
  return id
}

function as(name: string): Record<string, string> {
  return { AGENT_CHAT_NAME: name }
}
