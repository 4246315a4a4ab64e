import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory, tempHome } from '../../testing/home.ts'
import { isAdmin, readTeam, readTicket, ticketIn, writeTeam } from './files.ts'

const TICKET = { team: 'crew', server: 'tls://b:4222', host: 'a', seed: 'SUAB', ca: '-----BEGIN' }

test('an invitation is read, and another file is refused by name', () => {
  const path = join(tempDirectory(), 'a.invitation')
  expect(ticketIn(path)).toBeUndefined()
  writeFileSync(path, JSON.stringify(TICKET))
  expect(ticketIn(path)).toEqual(TICKET)
  const wrong = [
    'hello',
    '[]',
    '"x"',
    ...[{ host: '../x' }, { host: 'B' }, { team: '' }, { seed: 'SAAB' }, { ca: 7 }].map((change) =>
      JSON.stringify({ ...TICKET, ...change }),
    ),
  ]
  for (const text of wrong) {
    writeFileSync(path, text)
    expect(() => ticketIn(path)).toThrow('is no invitation')
  }
  const directory = join(tempDirectory(), 'x')
  mkdirSync(directory)
  expect(() => ticketIn(directory)).toThrow('is no invitation')
})

test('a home without a team says what to do; what has a key in it is for its owner alone', () => {
  const home = tempHome()
  expect(() => readTicket(home)).toThrow('this machine has joined no team')
  expect(() => readTeam(home)).toThrow('no team is administered from this home')
  expect(isAdmin(home)).toBe(false)
  const team = { team: 'crew', server: 'tls://b:4222', seed: 'SUAD', key: 'UADMIN', hosts: {} }
  writeTeam(home, team)
  expect(readTeam(home)).toEqual(team)
  expect(isAdmin(home)).toBe(true)
  expect(statSync(home.bridgeTeam).mode & 0o077).toBe(0)
  expect(statSync(join(home.bridge, 'users.conf')).mode & 0o077).toBe(0)
})
