import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { tempBus } from '../testing/home.ts'
import { checkStrays } from './strays.ts'

test('a home with nothing but messages has no strays', () => {
  const bus = tempBus(['backend', 'frontend'])
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x' })
  expect(checkStrays(bus)).toEqual([])
})

test.each([
  ['messages', '20261121T033912.123456Z-from-backend.sync-conflict-20261125-201500-ABCDEFG.md'],
  ['inbox/frontend', '20261121T033912.123456Z-from-backend (1).md'],
  ['inbox/frontend/read', '20261121T033912.123456Z-from-backend-LAPTOP.md'],
  ['inbox/frontend/bad', '20261121T033912.123456Z-from-backend.md'],
])('a copy in %s is named: %s', (folder, file) => {
  const bus = tempBus(['backend', 'frontend'])
  const directory = join(bus.home.root, folder)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, file), 'x')
  expect(checkStrays(bus)).toMatchObject([
    {
      status: 'warning',
      detail: `1 file is no message, and no command reads it: ${join(directory, file)}`,
    },
  ])
})
