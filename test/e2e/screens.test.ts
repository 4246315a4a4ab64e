import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { CLAUDE } from '../../src/agents/claude.ts'
import { readScreen, type ScreenOptions } from '../../src/doorbell/screen.ts'
import known from '../../src/doorbell/screens/readings.json'
import { ensureClaude } from './harness/install.ts'
import type { Capture } from './harness/pane.ts'
import { eventually } from './harness/poll.ts'
import { worldForTest } from './harness/test-world.ts'
import { rule, STATES, SUGGESTIONS } from './screens.ts'

// The unit tests read these screens from files. Here the pinned client makes them anew, so that a
// new version that draws its box in another way is noticed. With UPDATE_SCREENS=1 the files are
// written.
const FILES = join(import.meta.dirname, '../../src/doorbell/screens')
const SCREENS: {
  name: string
  client: string
  box: string
  text: string
  options?: ScreenOptions
}[] = known
const UPDATE = process.env.UPDATE_SCREENS === '1'

beforeAll(async () => {
  await ensureClaude()
})

test('every state that the files hold is made here, and no other', () => {
  const made = STATES.map((state) => state.name)
  const read = SCREENS.filter((screen) => screen.client === 'claude').map((screen) => screen.name)
  expect(made.sort()).toEqual(read.sort())
})

test.each(STATES.map((state) => [state.name, state] as const))('%s', async (_name, state) => {
  const expected = SCREENS.find((screen) => screen.name === state.name)
  if (!expected) throw new Error(`no reading is declared for ${state.name}`)
  const world = await worldForTest({
    rule,
    trusted: state.trusted ?? true,
    env: state.suggest ? SUGGESTIONS : {},
  })
  if (state.git) commitSomething(world.cwd)
  await state.before?.(world)
  const pane = await world.startClaude({ width: 100, height: 24, ...state.start })
  await state.reach(pane, world)
  const matches = (capture: Capture) => {
    const { box, text } = readScreen(capture, { ...CLAUDE.screen, ...expected.options })
    return box === expected.box && text === expected.text
  }
  let last = await pane.capture()
  // A state may take a moment to be drawn: what counts is the screen that stays.
  const settled = await eventually(
    'the screen to stay as it is',
    async () => {
      const before = last
      last = await pane.capture()
      if (matches(before) && matches(last)) return last
      if (state.fades && !matches(last)) await state.reach(pane, world)
      return undefined
    },
    {
      state: () => JSON.stringify(readScreen(last, { ...CLAUDE.screen, ...expected.options })),
    },
  )
  if (UPDATE) await keep(state.name, settled)
})

function commitSomething(cwd: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@localhost', ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd },
    })
  execFileSync('touch', [join(cwd, 'shop.ts')])
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'shop')
}

/** A file: the cursor and the size on the first line, then the screen with its escapes. */
async function keep(name: string, { text, ...place }: Capture): Promise<void> {
  const neutral = text.replaceAll(/\/tmp\/ac-e2e-\w{6}/g, '/home/dev/projects')
  await writeFile(join(FILES, `${name}.txt`), `${JSON.stringify(place)}\n${neutral}`)
}
