import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { claudeJson } from '../harness/environment.ts'
import type { Pane } from '../harness/pane.ts'
import { hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import { type Film, filmOf } from './svg.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PICTURE = join(ROOT, 'docs', 'pictures', 'two-sessions.svg')
// Side by side, and no higher than 480 pixels.
const SIZE = { columns: 64, rows: 22 }
/**
 * How often the screens are looked at, how long between two keys, and how long the last frame
 * stays. In milliseconds.
 */
const LOOK = 120
const KEY = 45
const END = 4_000
const AGENT = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

const HANDOVER = `agent-chat send @frontend --subject 'GET /tasks is ready' <<'MESSAGE'
## Handover from backend

**What changed:** GET /tasks answers { id, title, done }[], newest first
**Files affected:** api/routes/tasks.ts, api/openapi.yaml
**What you need to do:** replace the mock in web/src/tasks.ts
MESSAGE`

const SUMMARY = `@backend hands over: **GET /tasks is ready**. It answers \`{ id, title, done }[]\`, newest first.

Plan: replace the mock in \`web/src/tasks.ts\`, keep the sorting to the server, run the tests.

Shall I go ahead?`

test('draws two sessions: one hands over, the other is rung, reads and asks', async () => {
  const world = await worldForTest({
    rule: (request) => {
      if (hears(request, 'Tell frontend')) return bash(HANDOVER, 'Hand over to frontend')
      if (hears(request, 'New message from @backend. Check inbox.'))
        return bash('agent-chat inbox', 'Read the inbox')
      return {
        text: hears(request, 'unread message for @frontend')
          ? SUMMARY
          : 'Handed over to @frontend.',
      }
    },
  })
  // In the home, so that the screens show `~/api` and no path of this machine.
  const [api, web] = [join(world.home, 'api'), join(world.home, 'web')]
  for (const folder of [api, web]) await mkdir(folder)
  const trust = [api, web].map((folder) => JSON.parse(claudeJson(folder, true)))
  const projects = Object.assign({}, ...trust.map((json) => json.projects))
  await writeFile(join(world.home, '.claude.json'), JSON.stringify({ ...trust[0], projects }))

  const env = {
    ...world.env,
    PATH: `${dirname(world.claude)}:${world.env.PATH}`,
  }
  const chat = (cwd: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'dist', 'main.js'), ...args], { env, cwd })

  await chat(api, 'backend', '--detach', '--', ...AGENT)
  await chat(web, 'frontend', '--detach', '--', ...AGENT)
  const { sessions } = JSON.parse((await chat(api, 'who', '--json')).stdout)
  const [backend, frontend] = sessions.map((session: { pane: string }) =>
    world.tmux.pane(session.pane),
  )
  for (const name of ['backend', 'frontend'])
    await world.tmux.tmux(
      ...['resize-window', '-t', `ac-${name}`],
      ...['-x', String(SIZE.columns), '-y', String(SIZE.rows)],
    )
  // The client's greeting moves until its keys are shown.
  await Promise.all([backend.waitFor(/for shortcuts/), frontend.waitFor(/for shortcuts/)])

  const filming = film([backend, frontend])
  await typeSlowly(backend, 'The endpoint is done. Tell frontend.')
  await backend.key('Enter')
  await frontend.waitFor(/Shall I go ahead\?/)
  await backend.waitFor(/Handed over to @frontend/)
  const idle = (screen: string) => !/esc to interrupt/.test(screen)
  await Promise.all([backend.waitFor(idle), frontend.waitFor(idle)])
  const films = await filming.end()

  const length = Math.max(...films.map((frames) => frames.at(-1)?.at ?? 0)) + END
  const svg = filmOf(
    films.map((frames, at) => ({
      title: ['@backend · ~/api', '@frontend · ~/web'][at] ?? '',
      frames,
    })),
    { ...SIZE, length },
    'backend sends a handover; frontend wakes, reads its inbox and asks its user',
  )
  expect(svg).toContain('message from @backend')
  expect(svg).toContain('Shall I go ahead?')
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  expect(Number(/ height="(\d+)"/.exec(svg)?.[1])).toBeLessThanOrEqual(480)
  await mkdir(dirname(PICTURE), { recursive: true })
  await writeFile(PICTURE, svg)
})

/** Looks at the panes until it is ended, and keeps each screen that differs from the one before. */
function film(panes: readonly Pane[]) {
  const begun = performance.now()
  const films: { at: number; lines: string[] }[][] = panes.map(() => [])
  let goesOn = true
  const look = async () => {
    const at = Math.round(performance.now() - begun)
    const screens = await Promise.all(panes.map((pane) => pane.screen({ escapes: true })))
    screens.forEach((screen, index) => {
      const frames = films[index] ?? []
      const lines = screen.split('\n')
      if (frames.at(-1)?.lines.join('\n') !== lines.join('\n'))
        frames.push({ at: frames.length === 0 ? 0 : at, lines })
    })
  }
  const running = (async () => {
    while (goesOn) {
      await look()
      await delay(LOOK)
    }
    await look()
  })()
  const end = async (): Promise<Film['frames'][]> => {
    goesOn = false
    await running
    return films
  }
  return { end }
}

async function typeSlowly(pane: Pane, text: string): Promise<void> {
  for (const key of text) {
    await pane.type(key)
    await delay(KEY)
  }
  await pane.waitFor((screen) => screen.includes(text.slice(-10)))
}

function bash(command: string, description: string) {
  return { tool: 'Bash', input: { command, description } }
}
