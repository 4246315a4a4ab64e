import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Grade } from '../../session/turn.ts'
import { gradeOf, isCovered, meaningOf } from './grade.ts'

const SCRIPTS = { test: 'vitest run', build: 'sh -c "rm x"', files: 'rm -rf dist' }

/** A project with some files, and what is around a call in it. */
function project() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-chat-test-')))
  for (const folder of ['src', 'bin', 'sub']) mkdirSync(join(root, folder))
  for (const file of ['src/a.ts', 'src/b.ts', 'CLAUDE.md']) writeFileSync(join(root, file), '')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: SCRIPTS }))
  symlinkSync('/nowhere', join(root, 'link'))
  return { cwd: root, root, home: '/home-of-agent-chat', env: { PATH: `${root}/bin:/bin` } }
}

const around = project()
afterAll(() => rmSync(around.root, { recursive: true }))
const inside = (name: string) => join(around.root, name)
const call = (name: string, input: Record<string, unknown> = {}) => ({ name, input })
const bash = (command: string, more = {}) => call('Bash', { command, ...more })
const EDIT = call('Edit', { file_path: inside('a') })
const OUTSIDE = call('Write', { file_path: '/etc/a' })
const BASH = bash('rm x')

const COVERED: [yes: Grade[], of: ReturnType<typeof call>, covered: boolean][] = [
  [[], EDIT, false],
  [['edits'], EDIT, true],
  [['edits'], call('NotebookEdit', { notebook_path: inside('n') }), true],
  [['edits'], OUTSIDE, false],
  [['edits'], call('NotebookEdit', { file_path: inside('n'), notebook_path: '/etc/n' }), false],
  [
    ['edits'],
    call('MultiEdit', { file_path: inside('a'), edits: [{ file_path: '/etc/a' }] }),
    false,
  ],
  [['edits'], call('Edit'), false],
  [['edits'], BASH, false],
  [['edits'], call('Skill', { skill: 'x' }), false],
  // Of a turn of the version before, or of the choice of everything.
  [['commands'], BASH, true],
  [['commands'], call('PowerShell'), true],
  [['commands'], EDIT, true],
  [['commands'], OUTSIDE, true],
  [['commands'], call('Monitor', { command: 'ls' }), false],
  [['commands'], call('SendMessage'), false],
  [['commands'], call('mcp__github__create_issue'), false],
  [['all'], BASH, true],
  [['all'], OUTSIDE, true],
  [['all'], call('mcp__github__create_issue'), true],
  [['mcp:github'], call('mcp__github__create_issue'), true],
  [['mcp:github'], call('mcp__github_2__create_issue'), false],
  [['mcp:github'], call('mcp__github__x__create_issue'), false],
  [['mcp:github'], call('mcp__github___create_issue'), false],
  [['mcp:github'], call('mcp__githubX__create_issue'), false],
  [['mcp:github'], EDIT, false],
  [['edits', 'mcp:github'], BASH, false],
]

test.each(COVERED)('a yes for %j and %j: covered %s', (granted, of, covered) => {
  expect(isCovered(of, granted, around)).toBe(covered)
})

test.each<[yes: string, next: string, covered: boolean]>([
  ['rm x', 'rm x', true],
  ['rm x', 'rm  x', true],
  ['rm x', 'rm y', false],
  ['rm x', 'rm -rf x', false],
  ['rm x', 'rm x y', false],
  ['rm x', 'rm x; rm y', false],
  ['rm x', 'ls; rm x | cat', true],
  ['rm x', 'cat f | rm x', false],
  ['rm x', 'rm x < f', false],
  ['rm x', 'cd src; rm x', false],
  ['cd sub/.. && touch a', 'cd sub/.. && touch b', false],
  ['rm x', 'A=1 rm x', false],
  ['rm x', 'rm x > y', false],
  ['rm x', 'rm $X', false],
  ['rm x', 'timeout 5 rm x', false],
  ['rm x', 'for i in a; do rm x; done', false],
  ['rm x', 'git push', false],
  ['rm x > y', 'rm x > y', true],
  ['rm x > y', 'rm x', false],
  ['git push', 'git push', true],
  ['git push', 'git push --force', false],
  ['git push', 'git push evil', false],
  ['git commit -m one', 'git commit -m "two words"', true],
  ['git commit -m one', 'git commit -m two --amend', false],
  ['git commit -m one', 'git commit --amend', false],
  ['git add src/a.ts', 'git add src/b.ts', true],
  ['git add src/a.ts', 'git add -f src/b.ts', false],
  ['git add src/a.ts', 'git add ../b.ts', false],
  ['git add src/a.ts', 'git add .', false],
  ['touch src/a.ts', 'touch src/new.ts', true],
  ['touch src/a.ts', 'touch CLAUDE.md', false],
  ['touch src/a.ts', 'touch .git/hooks/pre-commit', false],
  ['touch src/a.ts', 'touch bin/git', false],
  ['touch src/a.ts', 'touch link', false],
  ['touch src/a.ts', 'touch /etc/x', false],
  ['touch src/a.ts', 'touch -t 1 src/b.ts', false],
  ['cp src/a.ts src/b.ts', 'cp src/a.ts src/b.ts', true],
  ['cp src/a.ts src/b.ts', 'cp src/a.ts CLAUDE.md', false],
  ['cp src/a.ts src/b.ts', 'cp src/a.ts bin/git', false],
  ['cp src/a.ts src/b.ts', 'cp src/a.ts src', false],
  ['cp src/a.ts src/b.ts', 'cp src/a.ts link', false],
  ['mv src/a.ts src/b.ts', 'mv src/b.ts src/a.ts', false],
  ['npx vitest run src/a.ts', 'npx vitest run src/b.ts', true],
  ['npx vitest run src/a.ts', 'npx vitest run src/b.ts 2>&1 | tail -5', true],
  ['npx vitest run src/a.ts | tail -5', 'npx vitest run', true],
  ['npx vitest run src/a.ts', 'npx vitest run --config x', false],
  ['npx vitest run src/a.ts', 'npx jest src/b.ts', false],
  ['npx vitest run src/a.ts', 'npx vitest run http://x', false],
  ['npx vitest run src/a.ts', 'npx vitest run ../x', false],
  ['cargo test -p core', 'cargo test --lib', true],
  ['cargo test', 'cargo test --config x', false],
  ['cargo test', 'cargo clippy', false],
  ['cargo clippy -- -D warnings', 'cargo clippy --fix', false],
  ['pytest --collect-only -q', 'pytest -q -k login', true],
  ['pytest -q', 'pytest -p evil', false],
  ['pytest -p evil', 'pytest -q', false],
  ['pytest -p evil', 'pytest -p evil', true],
  ['npm test', 'npm test src/a.ts', true],
  ['npm test', 'npm test -- -u', false],
  ['npm test', 'npm run build', false],
  ['npm run build', 'npm run build src/a.ts', false],
  ['npm run files', 'npm run files src', false],
  ['npm audit', 'npm audit', true],
  ['npm audit', 'npm audit fix', false],
  ['npm pack', 'npm pack x/y', false],
  ['python3 -c 1', 'python3 -c 2', false],
  ['python3 -c 1', 'python3 -c 1', true],
  ['bash x.sh', 'bash y.sh', false],
])('a yes to %j and then %j: covered %s', (yes, next, covered) => {
  const grade = gradeOf(bash(yes), around) as Grade
  expect(isCovered(bash(next), [grade], around)).toBe(covered)
})

test('a yes holds where it was given, and not in the background', () => {
  const grade = gradeOf(BASH, around) as Grade
  const there = { ...around, cwd: inside('src') }
  expect(isCovered(BASH, [grade], there)).toBe(false)
  expect(isCovered(bash('rm x', { run_in_background: true }), [grade], around)).toBe(false)
  const behind = gradeOf(bash('rm x', { run_in_background: true }), around) as Grade
  expect(isCovered(BASH, [behind], around)).toBe(false)
  expect(isCovered(BASH, [gradeOf(BASH, { ...around, cwd: undefined }) as Grade], around)).toBe(
    false,
  )
})

test('a yes to a script is for what it said then', () => {
  const here = project()
  onTestFinished(() => rmSync(here.root, { recursive: true }))
  const grade = gradeOf(bash('npm test'), here) as Grade
  expect(isCovered(bash('npm test'), [grade], here)).toBe(true)
  const scripts = { scripts: { ...SCRIPTS, test: 'vitest run ' } }
  writeFileSync(join(here.root, 'package.json'), JSON.stringify(scripts))
  expect(isCovered(bash('npm test'), [grade], here)).toBe(false)
})

test('a yes to what is of no such kind is for itself alone, and the dialog says so', () => {
  const one = ['Skill', 'Monitor', 'CronCreate', 'mcp__a__b__c', 'mcp__a'].map((name) => call(name))
  for (const alone of [OUTSIDE, ...one]) expect(gradeOf(alone, around)).toBeUndefined()
  const says = (of: ReturnType<typeof call>) => meaningOf(gradeOf(of, around))
  expect(says(OUTSIDE)).toBe('Yes allows this one call')
  expect(says(EDIT)).toBe(
    'Yes allows edits inside the project for the rest of this turn, but no commands',
  )
  expect(says(BASH)).toBe('Yes allows this very command again in this turn, and nothing else')
  expect(says(bash('npx vitest run src/a.ts | tail'))).toBe(
    'Yes allows “npx vitest run” with files of the project again in this turn, and nothing else',
  )
  expect(says(bash('git commit -m x'))).toBe(
    'Yes allows “git commit -m” with another text again in this turn, and nothing else',
  )
})
