import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { claudeJson } from '../harness/environment.ts'
import { hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import { svgOf } from './svg.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PICTURE = join(ROOT, 'docs', 'pictures', 'two-sessions.svg')
const COLUMNS = 96
// Just enough for what each of them says.
const ROWS = { backend: 25, frontend: 37 }
const AGENT = ['--verbose', '--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

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
    AGENT_CHAT_DOORBELL: 'tmux',
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
  for (const [name, rows] of Object.entries(ROWS))
    await world.tmux.tmux(
      'resize-window',
      '-t',
      `ac-${name}`,
      '-x',
      String(COLUMNS),
      '-y',
      String(rows),
    )
  await Promise.all([backend.waitFor(/❯/), frontend.waitFor(/❯/)])
  await backend.submit('The endpoint is done. Tell frontend.')
  await frontend.waitFor(/Shall I go ahead\?/)
  await backend.waitFor(/Handed over to @frontend/)
  const idle = (screen: string) => !/esc to interrupt/.test(screen)
  await Promise.all([backend.waitFor(idle), frontend.waitFor(idle)])

  const screens = [
    await backend.screen({ escapes: true }),
    await frontend.screen({ escapes: true }),
  ]
  const terminals = ['backend', 'frontend'].map((name, at) => ({
    title: `$ agent-chat ${name}`,
    lines: withoutBlankEnd(screens[at] ?? ''),
  }))
  const svg = svgOf(
    terminals,
    COLUMNS,
    'backend sends a handover; frontend is rung, reads its inbox and asks its user',
  )
  expect(svg).toContain('New message from @backend. Check inbox.')
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  await mkdir(dirname(PICTURE), { recursive: true })
  await writeFile(PICTURE, svg)
})

function bash(command: string, description: string) {
  return { tool: 'Bash', input: { command, description } }
}

function withoutBlankEnd(screen: string): string[] {
  const lines = screen.split('\n')
  const last = lines.findLastIndex((line) => line.replace(/\x1b\[[0-9;:]*m/g, '').trim() !== '')
  return lines.slice(0, last + 1)
}
