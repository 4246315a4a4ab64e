import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempHome } from '../../testing/home.ts'
import { sendersIn, unreadCount, unreadFiles, unreadIds } from './unread.ts'

const ID = '20261121T033912.123456Z-from-backend'

test('what is unread are the names of messages, oldest first; what is no such name is left out', () => {
  const home = tempHome('frontend')
  const inbox = home.inbox('frontend')
  for (const file of [
    'b.md',
    `${ID}.md`,
    'a b.md',
    'x'.repeat(200).concat('.md'),
    'c.txt',
    '.d.md',
    '.md',
    'md',
  ])
    writeFileSync(`${inbox}/${file}`, '')
  for (const directory of ['read', 'bad']) mkdirSync(`${inbox}/${directory}`, { recursive: true })
  expect(unreadIds(home, 'frontend')).toEqual([ID, 'b', 'x'.repeat(200)])
  expect(unreadCount(home, 'frontend')).toBe(3)
  // A file that cannot be a message is for its reader to set aside.
  expect(unreadFiles(home, 'frontend')).toContain('a b.md')
})

test('an inbox that is not there has nothing unread', () => {
  const home = tempHome()
  expect([
    unreadIds(home, 'nobody'),
    unreadCount(home, 'nobody'),
    unreadFiles(home, 'nobody'),
  ]).toEqual([[], 0, []])
})

test('senders are named once, in the order of their first message, and only where they are names', () => {
  const ids = [
    ID,
    'x-from-reviewer',
    'y',
    `${ID}`,
    'z-from-',
    'z-from-Nobody',
    'z-from-a-from-b',
    'y-from-reviewer',
  ]
  expect(sendersIn(ids)).toEqual(['backend', 'reviewer', 'a-from-b'])
  expect(sendersIn([])).toEqual([])
})
