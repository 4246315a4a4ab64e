import { beforeEach, expect, test } from 'vitest'
import type { RoomNow, RoomPane } from '../feed/panel.ts'
import type { Drawn, Engine, RenderEvent } from './engine.ts'
import { drawPane } from './pane.ts'
import { cellsOf } from './view.ts'

type Tree = { element: string; props: Record<string, unknown>; children: unknown[] }

beforeEach(() => {
  const h = (element: string, props: Record<string, unknown>, ...children: unknown[]) => ({
    ...{ element, props, children },
  })
  Object.assign(globalThis, { h })
})

const AT = '2026-11-23T09:57:00.000Z'
const LINE = { id: 'x', from: 'backend', to: 'frontend', at: AT }
const PANE: RoomPane = {
  sessions: [
    { name: 'backend', state: 'busy', unread: 0 },
    { name: 'docs', state: 'idle', unread: 2 },
    { name: 'frontend', state: 'idle', unread: 0 },
  ],
  peer: 'backend',
  messages: Array.from({ length: 30 }, (_, n) => ({ ...LINE, title: `message ${n}` })),
  held: [
    { to: 'docs', chain: 'c1', why: 'more than 20 messages' },
    { to: 'docs', chain: 'c1', why: 'more than 20 messages' },
  ],
}
const OPTIONS = ['yes', 'no', 'later', 'ask']
const QUESTION = { ...LINE, title: 'Drop it?', number: 3, options: OPTIONS, text: '' }
const NOW: RoomNow = {
  ...{ name: 'frontend', unread: 0, latest: [], needs: [], tells: true },
  questions: [QUESTION],
  pane: PANE,
}

async function drawn(view: RoomNow, size: { columns: number; rows: number; dock: boolean }) {
  const ran: unknown[] = []
  const $ = {
    state: { get: async () => ({ value: view }), set: async () => undefined },
    ui: { resolve: () => ({ Box: 'Box', Text: 'Text', Button: 'Button', Input: 'Input' }) },
    fs: { exists: async () => true, stat: async () => ({ mtimeMs: 1 }) },
    clock: { now: async () => 0 },
    process: {
      run: async (argv: string[], { stdin }: { stdin: string }) => {
        ran.push(stdin === '' ? argv.slice(1) : JSON.parse(stdin))
        return { exitCode: 0, stdout: JSON.stringify({ home: '/h', ...view }), stderr: '' }
      },
    },
  } as unknown as Engine
  const placement = size.dock ? 'dock' : 'inline'
  const props = { bodyColumns: size.columns, scroll: { bodyRows: size.rows }, placement }
  const tree = await drawPane($, { props } as unknown as RenderEvent)
  return { parts: partsOf(tree), ran }
}

test('beside the transcript: sessions in their order, cards with every option, what is held, the last messages, the field', async () => {
  const { parts } = await drawn(NOW, { columns: 54, rows: 30, dock: true })
  const said = parts.map(({ element, props }) => `${element} ${props.label ?? props.text ?? ''}`)
  expect(said.filter((one) => /^(Button|Input)/.test(one))).toEqual([
    'Button ▸◐ @backend ',
    'Button  ● @docs 2 ',
    'Button yes',
    'Button no',
    'Button later',
    'Button ask',
    'Button release',
    'Input to @backend',
  ])
  expect(said.join('\n')).toContain('message 29')
})

test('above the prompt the field comes first, and nothing is longer than it has room for', async () => {
  const { parts } = await drawn(NOW, { columns: 36, rows: 5, dock: false })
  expect(parts.find(({ element }) => /Input|Button/.test(element))?.element).toBe('Input')
  const shown = parts.filter(({ props }) => String(props.text ?? '').includes('message '))
  expect(shown.length).toBeLessThanOrEqual(3)
})

const LONG = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')
const CHOICE = `an option of ${'many '.repeat(30)}words`

test.each([
  ['beside the transcript', { columns: 54, rows: 30, dock: true }],
  ['beside it, in few rows', { columns: 54, rows: 9, dock: true }],
  ['above the prompt', { columns: 36, rows: 5, dock: false }],
])('%s, a decision is there whole: question, background and options', async (_, size) => {
  const question = { ...QUESTION, title: LONG, text: `why\n\n${LONG}`, options: ['yes', CHOICE] }
  const { parts } = await drawn({ ...NOW, questions: [question] }, size)
  const lines = parts.flatMap(({ props }) => (props.text === undefined ? [] : [String(props.text)]))
  const said = lines.join(' ').replaceAll(/\s+/g, ' ')
  for (const part of [`? @backend: ${LONG}`, `why ${LONG}`, `1. yes 2. ${CHOICE}`])
    expect(said).toContain(part)
  const width = size.columns - (size.dock ? 4 : 0)
  for (const line of lines.filter((one) => one.includes('word')))
    expect(cellsOf(line)).toBeLessThanOrEqual(width)
  const labels = parts.map(({ props }) => props.label)
  expect(labels).toEqual(expect.arrayContaining(['1', '2']))
  // What is long scrolls, from its beginning: the field, which has the keys, is not below it.
  expect(parts[0]?.element).toBe('Input')
})

test('of what is answered elsewhere, what answers it is never cut', async () => {
  const need = { type: 'permission', key: 'x', name: 'docs', at: AT, why: `wants to run: ${LONG}` }
  const view = { ...NOW, needs: [{ ...need, answer: 'agent-chat attach docs' }] as never }
  const { parts } = await drawn(view, { columns: 54, rows: 30, dock: true })
  const line = parts
    .map(({ props }) => String(props.text ?? ''))
    .find((one) => /docs asks/.test(one))
  expect(line).toMatch(/… · agent-chat attach docs$/)
  expect(cellsOf(line ?? '')).toBeLessThanOrEqual(54)
})

test('a press and a line are given to the command line, which does them as the human', async () => {
  const { parts, ran } = await drawn(NOW, { columns: 54, rows: 30, dock: true })
  const handler = (of: (tree: Tree) => boolean, name: string) =>
    parts.find(of)?.props[name] as (text?: string) => unknown
  const press = (label: string) => handler(({ props }) => props.label === label, 'onPress')()
  const write = handler(({ element }) => element === 'Input', 'onSubmit')
  await press('later')
  await press('release')
  write('  ')
  write('hello')
  await new Promise(setImmediate)
  expect(ran.filter((one) => !Array.isArray(one))).toEqual([
    { do: 'reply', id: '3', text: '3' },
    { do: 'release', chain: 'c1' },
    { do: 'send', to: 'backend', text: 'hello' },
  ])
})

test('a session that has not joined, and one that is alone', async () => {
  const size = { columns: 54, rows: 30, dock: true }
  const texts = async (view: RoomNow) =>
    (await drawn(view, size)).parts.map(({ props }) => props.text).join(' ')
  expect(await texts({ ...NOW, name: null })).toContain('has not joined')
  const alone = { ...PANE, sessions: [], peer: null, messages: [], held: [] }
  expect(await texts({ ...NOW, questions: [], pane: alone })).toContain('Nobody to write to yet')
})

/** Every element that shows something, in the order of the screen. */
function partsOf(node: unknown): Tree[] {
  if (Array.isArray(node)) return node.flatMap(partsOf)
  const { element, props, children } = (node ?? {}) as Tree
  if (element === undefined) return []
  if (element === 'Text') return [{ element, props: { ...props, text: textOf(node) }, children }]
  if (element !== 'Box') return [{ element, props, children }]
  return children.flatMap(partsOf)
}

function textOf(node: unknown): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textOf).join('')
  return ((node as Drawn & Partial<Tree>)?.children ?? []).map(textOf).join('')
}
