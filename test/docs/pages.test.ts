import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../src/agents/agents.ts'
import { EXIT } from '../../src/chat/exit.ts'
import { runCli } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const text = (page: string) => readFileSync(join(ROOT, page), 'utf8')
const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path))
/** A variable of the tests alone: the step at which a process ends. */
const OWN = 'AGENT_CHAT_FAULT'
const PAGES = ['README.md', 'AGENTS.md', 'CHANGELOG.md', ...DOCS]

test.each([
  ['README.md', 7_500, 150],
  ['skills/agent-chat/SKILL.md', 6_500, 150],
])('%s has at most %i bytes and %i lines', (page, bytes, lines) => {
  expect(statSync(join(ROOT, page)).size).toBeLessThanOrEqual(bytes)
  expect(text(page).split('\n').length).toBeLessThanOrEqual(lines)
})

test('the README begins with what a newcomer types', () => {
  const blocks = [...text('README.md').matchAll(/```sh\n(.*?)\n```/gs)].map(([, code]) => code)
  expect(blocks[0]).toBe('./bin/agent-chat setup')
  expect(blocks[1]).toBe('npm install && npm test')
})

/** What the README tells, in the order in which a newcomer asks. */
const ORDER = [
  ...[
    '\n\nLet your coding agents message each other',
    '\n\n![',
    '\n\n```\nyou →',
    '\n\n**For you**',
  ],
  ...['**Not for you**', '\n\nMeasured:', '\n## Install', '\n## Quickstart', '\n## Every day'],
  ...[
    '\n## Console and web console',
    '\n## Guardrails',
    '\n## Compared',
    '\n## More than Claude Code',
  ],
  ...['\n## Troubleshooting', '\nTo uninstall:'],
]

test('the README sells first, and comes to the rest in its order', () => {
  const places = ORDER.map((part) => text('README.md').indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a transcript of ten lines, five commands for every day, five guardrails', () => {
  const [, transcript = ''] = /\n```\n(you →.*?)\n```/s.exec(text('README.md')) ?? []
  expect(transcript.split('\n')).toHaveLength(10)
  const part = (title: string) => text('README.md').split(`\n## ${title}\n`)[1]?.split('\n## ')[0]
  expect(part('Every day')?.match(/^agent-chat/gm)).toHaveLength(5)
  expect(part('Guardrails')?.match(/^- \*\*/gm)).toHaveLength(5)
})

test('nothing has to be filled in before a line of the README works', () => {
  const blocks = [...text('README.md').matchAll(/```sh\n(.*?)\n```/gs)].map(([, code]) => code)
  expect(blocks.join('\n')).not.toMatch(/[<>]|\bexample\b/)
})

test('its three numbers are those of the evidence', () => {
  const [, measured = ''] = /\nMeasured: (.*?)\n\n/s.exec(text('README.md')) ?? []
  const sent = /\| messages sent \| (\d+) \|/.exec(text('docs/evidence/soak.md'))?.[1]
  expect(measured).toContain(`${Number(sent).toLocaleString('en')} messages`)
  expect(text('docs/evidence/soak.md')).toMatch(/^\| lost, .* \| \*\*none\*\* \|$/m)
  const cells = text('docs/evidence/gate.md').match(/\b10: 0 \/ 0\b/g)
  expect(measured).toContain(`[${cells?.length} cells of 10 runs]`)
  const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
  expect(measured.toLowerCase()).toContain(`[${names[AGENTS.length]} agents]`)
})

test('the picture of the demonstration is right below its first sentence', () => {
  expect(text('README.md')).toMatch(
    /^# agent-chat\n\nLet your [^\n]+ No server\.\n\n!\[Six agents [^\]]+ none is lost\]\(docs\/pictures\/plug\.svg\)\n/,
  )
  const svg = text('docs/pictures/plug.svg')
  expect(svg).toMatch(/aria-label="6\/6 back · 0 lost · /)
  expect(Number(/ height="(\d+)"/.exec(svg)?.[1])).toBeLessThanOrEqual(480)
})

test('the picture of two sessions moves, and leaves room for the text below', () => {
  const svg = text('docs/pictures/two-sessions.svg')
  expect(svg).toContain('@keyframes')
  expect(Number(/ height="(\d+)"/.exec(svg)?.[1])).toBeLessThanOrEqual(480)
})

test('reliability.md says it in 600 words', () => {
  expect(text('docs/reliability.md').split(/\s+/).length).toBeLessThanOrEqual(600)
})

test.each(['README.md', 'AGENTS.md', ...DOCS])('%s has no line above 120 columns', (page) => {
  // Programs write the tables and what stands between their marks.
  const written = text(page).replace(/<!-- ([\w-]+): begin -->.*?<!-- \1: end -->/gs, '')
  const long = written.split('\n').filter((line) => [...line].length > 120 && !/^\s*\|/.test(line))
  expect(long).toEqual([])
})

/** docs/commands.md is the program's own words; other programs write the evidence. */
const PLAIN = DOCS.filter((page) => !/evidence|decisions|commands\.md/.test(page))

test.each(['README.md', 'skills/agent-chat/SKILL.md', 'skills/chat/SKILL.md', ...PLAIN])(
  '%s is in plain words',
  (page) => {
    const odd =
      /\b(stands?|whom|anew|mends?|mended|tells? of|at work)\b|, too\b|^(What|Who) [^?\n]* (is|does|goes|rings)\b/gim
    expect(
      text(page)
        .replace(/`[^`]*`/g, '')
        .match(odd) ?? [],
    ).toEqual([])
  },
)

test('reference.md has every exit code, and every variable that the program reads', () => {
  const page = text('docs/reference.md')
  for (const code of Object.values(EXIT)) expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^testing\//.test(path))
    .map((path) => text(join('src', path)))
  const read = new Set(sources.join('\n').match(/\bAGENT_CHAT_[A-Z_]+\b/g))
  expect([...read].filter((name) => name !== OWN && !page.includes(`\`${name}\``))).toEqual([])
})

test('help environment has every variable of reference.md that a user sets', async () => {
  const [, rows = ''] = text('docs/reference.md').split('## Environment')
  const set = [...rows.matchAll(/^\| (`[A-Z_`, ]+`) \| (?!set by agent-chat)/gm)]
  const { stdout } = await runCli(['help', 'environment', '--json'], { home: tempDirectory() })
  expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(
    set.map(([, names = '']) => names.replaceAll('`', '')).sort(),
  )
})

describe('links lead to a page and a heading that exist', () => {
  test.each(PAGES)('%s', (page) => {
    const links = [...text(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?\)/g)]
    const dead = links.filter(([, path = '', heading]) => {
      const there = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(ROOT, there))) return true
      return heading !== undefined && !headings(there).includes(heading)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  })
})

/** A page's headings as GitHub links to them. */
function headings(page: string): string[] {
  return [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const letters = title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '')
    return `#${letters.replaceAll(' ', '-')}`
  })
}
