import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from './harness/poll.ts'
import type { Block } from './harness/reply.ts'
import { type ApiRequest, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('a session that never joined starts Node at its start alone: 200 reads, 50 commands; one that joins in mid-session is heard', async () => {
  const world = await worldForTest({ pluginDir: ROOT, rule: inCalls() })
  const log = join(world.dir, 'nodes')
  const nodes = () => readFileSync(log, 'utf8').split('\n').filter(Boolean)
  // tmux gives each pane a PATH of its own.
  const settings = { env: { PATH: `${await noting(world.dir, log)}:${world.env.PATH}` } }
  await writeFile(join(world.cwd, 'notes.txt'), 'nothing new\n')
  const pane = await world.startClaude({ args: ['--allowedTools', 'Bash', 'Read'], settings })
  const turn = async (what: string) => {
    await pane.submit(`Do: ${what}`)
    await pane.waitFor(new RegExp(`${what} are done`), 120_000)
  }
  await eventually('its start', () => nodes().includes('session-start'))
  const start = ['session-start', 'start-ring']
  await turn('200 reads')
  await turn('50 commands')
  expect(nodes().filter((word) => !start.includes(word))).toEqual([])
  expect(nodes().length).toBeLessThanOrEqual(start.length)
  await turn('1 joins')
  await turn('3 commands')
  await eventually('its hooks', () => {
    const words = ['user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop']
    return words.every((word) => nodes().includes(word))
  })
  await pane.submit('/clear')
  await eventually(
    'the next start',
    () => nodes().filter((one) => one === 'session-start').length === 2,
  )
  const before = nodes().length
  await turn('2 commands')
  await eventually(
    'its hooks',
    () =>
      nodes()
        .slice(before)
        .filter((word) => word === 'pre-tool-use').length === 2,
  )
}, 300_000)

/** A folder with a `node` that notes the word of each hook that it runs. */
async function noting(dir: string, log: string): Promise<string> {
  const bin = join(dir, 'bin')
  await mkdir(bin)
  await writeFile(log, '')
  const line = `case $1 in *hook.cjs) echo "$2" >>'${log}' ;; esac\nexec '${process.execPath}' "$@"`
  await writeFile(join(bin, 'node'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  return bin
}

const CALLS: Record<string, Block> = {
  reads: { tool: 'Read', input: { file_path: 'notes.txt' } },
  commands: { tool: 'Bash', input: { command: 'true', description: 'nothing' } },
  joins: {
    tool: 'Bash',
    input: { command: 'agent-chat join backend --no-watch', description: 'join' },
  },
}

/** A model that makes the calls of `Do: …`, 25 in an answer, and then says that they are done. */
function inCalls() {
  let [what, left] = ['', [] as Block[]]
  return (request: ApiRequest) => {
    const [, asked, count, kind = ''] = /Do: ((\d+) (\w+))/.exec(newText(request)) ?? []
    const call = CALLS[kind]
    if (request.kind !== 'main') return { text: 'ok' }
    if (asked && call) [what, left] = [asked, Array.from({ length: Number(count) }, () => call)]
    const next = left.splice(0, 25)
    return next.length > 0 ? next : { text: `${what} are done` }
  }
}
