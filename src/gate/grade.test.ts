import { expect, test } from 'vitest'
import type { Grade } from '../session/turn.ts'
import { gradeOf, isCovered, meaningOf } from './grade.ts'

const isInside = (path: string) => path.startsWith('/project/')
const call = (name: string, input: Record<string, unknown> = {}) => ({ name, input })
const EDIT = call('Edit', { file_path: '/project/a' })
const OUTSIDE = call('Write', { file_path: '/etc/a' })
const BASH = call('Bash', { command: 'rm x' })

const COVERED: [yes: Grade[], of: ReturnType<typeof call>, covered: boolean][] = [
  [[], EDIT, false],
  [['edits'], EDIT, true],
  [['edits'], call('NotebookEdit', { notebook_path: '/project/n' }), true],
  [['edits'], OUTSIDE, false],
  [['edits'], call('NotebookEdit', { file_path: '/project/n', notebook_path: '/etc/n' }), false],
  [
    ['edits'],
    call('MultiEdit', { file_path: '/project/a', edits: [{ file_path: '/etc/a' }] }),
    false,
  ],
  [['edits'], call('Edit'), false],
  [['edits'], BASH, false],
  [['edits'], call('Skill', { skill: 'x' }), false],
  [['commands'], BASH, true],
  [['commands'], call('PowerShell'), true],
  [['commands'], EDIT, true],
  [['commands'], OUTSIDE, true],
  [['commands'], call('Monitor', { command: 'ls' }), false],
  [['commands'], call('SendMessage'), false],
  [['commands'], call('mcp__github__create_issue'), false],
  [['mcp:github'], call('mcp__github__create_issue'), true],
  [['mcp:github'], call('mcp__github_2__create_issue'), false],
  [['mcp:github'], call('mcp__github__x__create_issue'), false],
  [['mcp:github'], call('mcp__github___create_issue'), false],
  [['mcp:github'], call('mcp__githubX__create_issue'), false],
  [['mcp:github'], EDIT, false],
  [['edits', 'mcp:github'], BASH, false],
]

test.each(COVERED)('a yes for %j and %j: covered %s', (granted, of, covered) => {
  expect(isCovered(of, granted, isInside)).toBe(covered)
})

test('a yes to what is of no such kind is for itself alone, and the dialog says so', () => {
  const one = ['Skill', 'Monitor', 'CronCreate', 'mcp__a__b__c', 'mcp__a'].map((name) => call(name))
  for (const alone of [OUTSIDE, ...one]) expect(gradeOf(alone, isInside)).toBeUndefined()
  expect(meaningOf(gradeOf(OUTSIDE, isInside))).toBe('Yes allows this one call')
  expect(meaningOf(gradeOf(EDIT, isInside))).toBe(
    'Yes allows edits inside the project for the rest of this turn, but no commands',
  )
})
