import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentOf } from '../agents/agents.ts'
import { CLAUDE } from '../agents/claude.ts'
import { textOf } from './quiet.ts'
import { boxHolds, readScreen, type ScreenCapture, type ScreenOptions } from './screen.ts'
import known from './screens/readings.json' with { type: 'json' }

// Screens of the real clients: Claude Code's are made by test/e2e/screens.test.ts.
const FILES = join(import.meta.dirname, 'screens')
const RING = 'New message from @backend. Check inbox.'
type Known = { name: string; client: string; box: string; text: string; options?: ScreenOptions }
const SCREENS = known.map((screen: Known) => ({
  ...screen,
  options: { ...agentOf(screen.client)?.screen, ...screen.options },
}))

function load(name: string): ScreenCapture {
  const file = readFileSync(join(FILES, `${name}.txt`), 'utf8')
  const end = file.indexOf('\n')
  return { ...JSON.parse(file.slice(0, end)), text: file.slice(end + 1) }
}

/** A screen drawn by hand: the cursor stands where `▮` is. */
function draw(lines: string[], place: Partial<ScreenCapture> = {}): ScreenCapture {
  const cursorY = lines.findIndex((line) => line.includes('▮'))
  const row = lines[cursorY]?.replaceAll(/\x1b\[[\d;]*m/g, '') ?? ''
  const text = lines.map((line) => line.replace('▮', '')).join('\n')
  return {
    text,
    cursorX: row.indexOf('▮'),
    cursorY,
    width: 40,
    height: 10,
    cursorVisible: true,
    ...place,
  }
}

describe('screens of real clients', () => {
  test('every file has a reading', () => {
    const files = readdirSync(FILES).filter((file) => file.endsWith('.txt'))
    expect(SCREENS.map((screen) => `${screen.name}.txt`).sort()).toEqual(files.sort())
    expect(files.length).toBeGreaterThan(40)
  })

  test.each(SCREENS.map((screen) => [screen.name, screen] as const))(
    '%s',
    (name, { box, text, options }) => {
      expect(readScreen(load(name), options)).toMatchObject({ box, text })
    },
  )

  test.each(
    SCREENS.filter(({ box }) => box !== 'empty').map(
      ({ name, options }) => [name, options] as const,
    ),
  )('%s is not empty where the cursor is not known to be hidden, either', (name, options) => {
    const { cursorVisible: _, ...capture } = load(name)
    expect(readScreen(capture, options).box).not.toBe('empty')
  })

  test('a reason is given for every refusal, and they differ', () => {
    const why = (name: string, options?: ScreenOptions) =>
      readScreen(load(name), { ...CLAUDE.screen, ...options }).why
    expect(why('shell-mode')).toMatch(/shell mode/)
    expect(why('vim-visual')).toMatch(/vim/)
    expect(why('vim-normal', { vim: true })).toMatch(/vim/)
    expect(why('ctrl-c-once')).toMatch(/about to be ended/)
    expect(why('permission')).toMatch(/no input box/)
    expect(why('draft')).toMatch(/holds text/)
  })

  test('NORMAL mode with an empty box cannot be told apart by its screen: whoever knows of the mode must say so', () => {
    expect(readScreen(load('vim-normal')).box).toBe('empty')
  })

  test('a cursor outside the box: the keyboard is elsewhere', () => {
    const { box } = readScreen({ ...load('idle'), cursorY: 3 })
    expect(box).toBe('none')
  })
})

describe('what else shows that an agent is at work', () => {
  const titleOf = (name: string): string => Reflect.get(load(name), 'title')
  const gemini = agentOf('gemini')?.screen?.titles
  test.each([
    ['gemini-turn', 'busy'],
    ['gemini-turn-queued', 'busy'],
    ['gemini-approval', 'asking'],
    ['gemini-gate-ask-yolo', 'asking'],
    ['gemini-idle', 'ready'],
    ['gemini-draft', 'ready'],
  ] as const)('the title of %s: %s', (name, shown) => {
    for (const state of ['busy', 'asking', 'ready'] as const)
      expect(gemini?.[state]?.test(titleOf(name)), state).toBe(state === shown)
  })

  test('a screen without Copilot CLI’s box is not empty: it is starting', () => {
    const start = draw(['▮'])
    expect(readScreen(start).box).toBe('empty')
    expect(readScreen(start, agentOf('copilot')?.screen).box).toBe('none')
  })

  const turn = agentOf('copilot')?.screen?.turn
  test.each([
    ['copilot-turn', true],
    ['copilot-idle', false],
    ['copilot-draft', false],
  ])('the screen of %s shows a turn: %s', (name, shown) => {
    expect(turn?.test(textOf(load(name)))).toBe(shown)
  })
})

describe('boxHolds', () => {
  test.each(['draft-ring', 'draft-ring-narrow'])('our own line: %s', (name) => {
    expect(boxHolds(load(name), RING)).toBe(true)
    expect(boxHolds(load(name), 'New message from @backen. Check inbox.')).toBe(false)
    expect(boxHolds(load(name), RING.slice(0, -1))).toBe(false)
  })

  test.each(['idle', 'draft', 'draft-spaces', 'draft-lines', 'permission', 'busy-queued'])(
    'not our line: %s',
    (name) => {
      expect(boxHolds(load(name), RING)).toBe(false)
    },
  )

  test('a draft before or behind our line', () => {
    for (const text of [`so ${RING}`, `${RING} no`])
      expect(boxHolds(draw([`> ${text}▮`], { width: 100 }), RING)).toBe(false)
  })

  test('a program without a prompt, also where the terminal breaks the line', () => {
    expect(boxHolds(draw(['', `${RING}▮`]), RING)).toBe(true)
    expect(boxHolds(draw([RING.slice(0, 20), RING.slice(20, 39), '▮'], { width: 20 }), RING)).toBe(
      false,
    )
    expect(boxHolds(draw([RING.slice(0, 20), `${RING.slice(20)}▮`], { width: 20 }), RING)).toBe(
      true,
    )
  })

  test('behind a prompt of its own', () => {
    expect(boxHolds(draw([`>>> ${RING}▮`], { width: 60 }), RING, { prompt: '>>> ' })).toBe(true)
    expect(boxHolds(draw([`>>> ${RING}▮`], { width: 60 }), RING)).toBe(false)
  })
})

describe('other agents', () => {
  const hint = '\x1b[2mAsk anything\x1b[0m'
  test.each<[string, ScreenCapture, string, ScreenOptions?]>([
    ['a program without a prompt', draw(['▮']), 'empty'],
    ['its output before', draw(['hello', '▮', '']), 'empty'],
    ['something typed into it', draw(['hello', 'abc▮']), 'draft'],
    ['spaces typed into it', draw(['hello', '  ▮']), 'draft'],
    ['a line that just filled the screen', draw(['x'.repeat(40), '▮']), 'draft'],
    ['a line of wide letters that just filled it', draw(['漢'.repeat(20), '▮']), 'draft'],
    ['a blank line amid other text', draw(['', '▮', 'Press q to quit']), 'none'],
    ['a glyph', draw(['› ▮', '', '  model · 3 files']), 'empty'],
    ['a glyph with a dim hint', draw([`› ▮${hint}`, '', '  model']), 'empty'],
    ['a glyph with a caret on the hint', draw(['› ▮\x1b[7mA\x1b[0;2msk anything\x1b[0m']), 'empty'],
    ['a glyph with a caret on a typed letter', draw(['› ▮\x1b[7mA\x1b[0msk']), 'draft'],
    ['a true colour with a 2 in it is not dim', draw(['› \x1b[38;2;9;2;9mtyped\x1b[0m▮']), 'draft'],
    ['a palette colour 2 is not dim', draw(['› \x1b[38;5;2mtyped\x1b[0m▮']), 'draft'],
    ['a glyph with text', draw(['› fix the bug▮']), 'draft'],
    ['a glyph with spaces', draw(['›    ▮']), 'draft'],
    ['a glyph that is not a prompt', draw(['>x ▮']), 'draft'],
    ['a menu', draw(['› 1. Yes▮', '  2. No']), 'none'],
    ['a question', draw(['Overwrite? [y/N] ▮']), 'draft'],
    ['a pager', draw(['text', ':▮']), 'draft'],
    ['a prompt of its own', draw(['>>> ▮']), 'empty', { prompt: '>>> ' }],
    ['a prompt of its own, with text', draw(['>>> x▮']), 'draft', { prompt: '>>> ' }],
    ['a prompt of its own that is not there', draw(['▮']), 'none', { prompt: '>>> ' }],
    ['an unknown prompt', draw(['>>> ▮']), 'draft'],
    [
      'a box with borders',
      draw([`╭${'─'.repeat(38)}╮`, `│ > ▮${' '.repeat(35)}│`, `╰${'─'.repeat(38)}╯`]),
      'empty',
    ],
    [
      'a box with borders and text',
      draw([`╭${'─'.repeat(38)}╮`, `│ > hi▮${' '.repeat(33)}│`, `╰${'─'.repeat(38)}╯`]),
      'draft',
    ],
    [
      'a box without a prompt',
      draw([`╭${'─'.repeat(38)}╮`, `│   ▮${' '.repeat(35)}│`, `╰${'─'.repeat(38)}╯`]),
      'none',
    ],
    ['a hidden cursor and no box', draw(['› ▮'], { cursorVisible: false }), 'none'],
    ['an empty screen with a hidden cursor', draw(['▮'], { cursorVisible: false }), 'none'],
  ])('%s', (_name, capture, box, options) => {
    expect(readScreen(capture, options).box).toBe(box)
  })
})
