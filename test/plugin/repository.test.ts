import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'

const SCRIPT = join(ROOT, 'scripts', 'repository.mjs')
const PLUGINS = ['.claude-plugin/plugin.json', 'room/.claude-plugin/plugin.json']
const FILES = ['package.json', 'packaging/agent-chat.rb', ...PLUGINS]

/** A copy of the files that it writes, and the script on it. */
function copy() {
  const cwd = tempDirectory()
  for (const path of FILES) cpSync(join(ROOT, path), join(cwd, path))
  const text = (path: string) => readFileSync(join(cwd, path), 'utf8')
  return {
    run: (...args: string[]) => execFileSync(process.execPath, [SCRIPT, ...args], { cwd }),
    refused: (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { cwd }).status,
    text,
    all: () => FILES.map(text),
  }
}

test('one script writes the repository and the homepage everywhere', () => {
  const { run, text } = copy()
  run('somebody/agent-chat')
  const url = 'https://github.com/somebody/agent-chat'
  expect(JSON.parse(text('package.json'))).toMatchObject({
    homepage: url,
    repository: { type: 'git', url: `git+${url}.git` },
  })
  for (const plugin of PLUGINS)
    expect(JSON.parse(text(plugin))).toMatchObject({ homepage: url, repository: url })
  expect(text('packaging/agent-chat.rb')).toContain(`\n  homepage "${url}"\n`)
})

test('again, with another address, it leaves nothing of the first', () => {
  const { run, all } = copy()
  run('first/one')
  run('somebody/agent-chat', 'https://agent-chat.example')
  const after = all()
  expect(after.filter((text) => text.includes('first/one'))).toEqual([])
  expect(after.filter((text) => !text.includes('"https://agent-chat.example"'))).toEqual([])
  run('somebody/agent-chat', 'https://agent-chat.example')
  expect(all()).toEqual(after)
})

test.each([[[]], [['agent-chat']], [['a/b', 'agent-chat.example']], [['a/b', 'https://x"y']]])(
  '%j is refused, and nothing is written',
  (args: string[]) => {
    const { refused, all } = copy()
    const before = all()
    expect(refused(...args)).toBe(2)
    expect(all()).toEqual(before)
  },
)

test('what only the owner knows is in one place of the page on releasing', () => {
  const page = readFileSync(join(ROOT, 'docs/dev/releasing.md'), 'utf8')
  expect(page.match(/npm run repository/g)).toHaveLength(1)
})
