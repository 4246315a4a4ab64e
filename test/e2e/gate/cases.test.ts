import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../harness/poll.ts'
import { give, plainAccount } from './account.ts'
import { CASES, type Found, furnish } from './cases.ts'
import { writeTable } from './report.ts'
import { type Scene, sceneForTest } from './scene.ts'

const ALL = ['manual', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']

/**
 * `npm run e2e -- gate/cases` runs each case so many times in every mode, or in the one that
 * `--mode` names; `npm test` once, where most can go wrong.
 */
const RUNS = Number(process.env.AGENT_CHAT_E2E_RUNS ?? '0')
const MODE = process.env.AGENT_CHAT_E2E_MODE
const MODES = MODE ? [MODE] : RUNS > 0 ? ALL : ['bypassPermissions']

/** A part of a case's name: with it, only such cases are played, and no table is written. */
const ONLY = process.env.AGENT_CHAT_E2E_CASE ?? ''

/** The configuration of an MCP server that makes a file once its tools are known. */
const notes = (ready: string) =>
  JSON.stringify({
    mcpServers: {
      notes: {
        command: process.execPath,
        args: [join(import.meta.dirname, 'notesServer.mjs'), ready],
      },
    },
  })

const table = new Map<string, Found[]>()

for (const mode of MODES) {
  for (let run = 1; run <= Math.max(RUNS, 1); run += 1) {
    test(`in ${mode}, nothing changes without a yes that covers it, and nothing is asked for reading (${run})`, async () => {
      const account = mode === 'bypassPermissions' ? plainAccount() : undefined
      const scene = await sceneForTest({ account })
      await furnish(scene)
      await repository(scene)
      await give(account, scene.world.cwd)
      const ready = join(scene.world.home, 'notes-ready')
      const session = await scene.session('frontend', {
        mode,
        args: ['--mcp-config', notes(ready)],
      })
      await eventually('the MCP server', () => existsSync(ready))
      const cases = CASES.filter(({ not, name }) => !not?.includes(mode) && name.includes(ONLY))
      for (const { name, run: play } of cases) {
        const found = await play({ scene, session, mode })
        table.set(`${name}|${mode}`, [...(table.get(`${name}|${mode}`) ?? []), found])
        expect([name, found]).toEqual([name, { changes: [], dialogs: 0 }])
      }
    })
  }
}

test('the table is written', async () => {
  expect(table.size).toBe(
    MODES.flatMap((mode) =>
      CASES.filter(({ not, name }) => !not?.includes(mode) && name.includes(ONLY)),
    ).length,
  )
  if (process.env.AGENT_CHAT_E2E_GATE_WRITE === '1' && ONLY === '')
    await writeTable(
      table,
      CASES.map(({ name }) => name),
      { modes: ALL, played: MODES },
    )
})

/** A repository whose index names another, with a monitor of its own; and a link out of it. */
async function repository(scene: Scene): Promise<void> {
  const git = (folder: string, ...args: string[]) =>
    execFileSync(
      'git',
      [
        '-C',
        folder,
        '-c',
        'safe.directory=*',
        '-c',
        'user.name=x',
        '-c',
        'user.email=x@x',
        ...args,
      ],
      {
        env: scene.world.env,
        stdio: 'ignore',
      },
    )
  const inner = scene.path('sub')
  await mkdir(inner)
  git(scene.path('.'), 'init', '-q')
  git(inner, 'init', '-q')
  git(inner, 'commit', '-q', '--allow-empty', '-m', 'x')
  git(inner, 'config', 'core.fsmonitor', `touch ${scene.path('by-fsmonitor')}; false`)
  git(scene.path('.'), 'add', 'sub')
  await mkdir(scene.path('elsewhere'))
  await symlink(join(scene.world.cwd, 'elsewhere'), scene.path('link'))
}
