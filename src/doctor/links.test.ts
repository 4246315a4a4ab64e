import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { ensureHome, homeAt } from '../bus/home.ts'
import { type Seen, writeMe, writePeer, writeSeen } from '../bus/remote/peers.ts'
import { keepPoison } from '../bus/remote/poison.ts'
import { formatId } from '../message/id.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { checkLinks } from './links.ts'

const HOUR_US = 3_600_000_000

/** A home that is called a, and was linked with b a moment ago. */
function linkedBus(seen: Partial<Seen> = {}, bus: Bus = tempBus(['backend'])): Bus {
  const { home } = bus
  writeMe(bus, { host: 'a', id: 'home-of-a' })
  const dial = { address: 'me@b', ssh: [] }
  writePeer(bus, { host: 'b', id: 'home-of-b', dial, created: '2026-11-21T03:39:12.123Z' })
  writeSeen(home, 'b', { version: '1.0.0', sessions: [], skewMs: 0, roundTripMs: 3, ...seen })
  return bus
}

function queue({ home, clock }: Bus, olderUs: number): void {
  const id = formatId(clock.micros() - olderUs, 'backend')
  writeFileSync(home.outgoing('b', id), '')
}

const lines = (bus: Bus, userHome = '/nowhere') =>
  checkLinks(bus, '1.0.0', userHome).map(({ status, detail, ...more }) =>
    `${status}: ${detail}${'hint' in more ? ` → ${more.hint}` : ''}`.replaceAll(
      bus.home.root,
      'HOME',
    ),
  )

describe('doctor on links', () => {
  test('says nothing in a home that was never linked', () => {
    expect(lines(tempBus(['backend']))).toEqual([])
  })

  test('a link whose last ping was answered, with what is queued', () => {
    const bus = linkedBus()
    queue(bus, 0)
    expect(lines(bus)).toEqual(['ok: b answered a ping in 3 ms, 1 message queued'])
  })

  test.each<[string, Partial<Seen>, (bus: Bus) => void, RegExp]>([
    [
      'a machine that answers no more',
      { roundTripMs: 0 },
      () => {},
      /^warning: b is not linked now, last seen less than a minute ago, 0 messages queued → start it: agent-chat link b$/,
    ],
    [
      'a message that waits for over an hour although the link is up',
      {},
      (bus) => queue(bus, 2 * HOUR_US),
      /^warning: .*1 message queued, the oldest for over an hour → see why with: agent-chat links$/,
    ],
    [
      'a clock that is ahead',
      { skewMs: 601_000 },
      () => {},
      /^warning: the clock of b is 601 s ahead → .*timedatectl set-ntp true$/,
    ],
    [
      'a clock that is behind',
      { skewMs: -7000 },
      () => {},
      /^warning: the clock of b is 7 s behind → /,
    ],
    [
      'another version',
      { version: '0.9.0' },
      () => {},
      /^warning: b has agent-chat 0\.9\.0, and this machine 1\.0\.0 → install the same version on both machines$/,
    ],
    [
      'a version with signs in it',
      { version: '1\u001b[31m' },
      () => {},
      /^warning: b has agent-chat 1\^\[\[31m, /,
    ],
    [
      'two machines of one name',
      {},
      (bus) => writePeer(bus, { host: 'a', created: '2026-11-21T03:39:12.123Z' }),
      /^failed: this machine and another are both called a → unlink it, /,
    ],
    [
      'poison',
      {},
      (bus) =>
        keepPoison(bus, 'b', { id: 'x', text: 'hello' }, 'its id is not the id of a message'),
      /^warning: b sent 1 that are no messages of its own → look at them: head HOME\/remote\/b\/bad\/\*; .*agent-chat unlink b$/,
    ],
    [
      'a message that was refused there',
      {},
      ({ home }) => {
        mkdirSync(`${home.peer('b')}/refused`)
        writeFileSync(`${home.peer('b')}/refused/x.md`, '')
      },
      /^warning: b refused 1 message → read why with: agent-chat show <id>; /,
    ],
  ])('%s', (_, seen, harm, line) => {
    const bus = linkedBus(seen)
    harm(bus)
    expect(lines(bus)).toContainEqual(expect.stringMatching(line))
  })

  test('a machine that dials, and one of a team, have other remedies', () => {
    const bus = linkedBus({ roundTripMs: 0 })
    writePeer(bus, { host: 'b', created: '2026-11-21T03:39:12.123Z' })
    expect(lines(bus)[0]).toMatch(/→ start it on b: it dials$/)
    writePeer(bus, { host: 'b', team: 'crew', created: '2026-11-21T03:39:12.123Z' })
    expect(lines(bus)[0]).toMatch(/→ start it on both: agent-chat bridge run$/)
  })

  test.each([
    ['Dropbox/chat', []],
    ['work/chat', ['.stfolder']],
  ])('a home in a synced folder: %s', (path, marks) => {
    const directory = tempDirectory()
    for (const mark of marks) mkdirSync(join(directory, mark))
    mkdirSync(join(directory, path), { recursive: true })
    const home = homeAt(join(directory, path))
    ensureHome(home)
    const bus = linkedBus({}, { ...tempBus(), home })
    expect(lines(bus)).toContainEqual(
      'failed: the home HOME is in a folder that is copied between machines → move it out, set AGENT_CHAT_HOME to the new place, and link the machines instead',
    )
  })

  test('keys for links: one that may do more, and a file that others may write', () => {
    const bus = linkedBus()
    const userHome = tempDirectory()
    mkdirSync(join(userHome, '.ssh'))
    const path = join(userHome, '.ssh', 'authorized_keys')
    const command = 'command="agent-chat link --stdio --peer b" ssh-ed25519 AAAA'
    writeFileSync(path, `# ${command}\nrestrict,${command}\n${command}\n`, { mode: 0o600 })
    expect(lines(bus, userHome).slice(1)).toEqual([
      `warning: 1 key for links in ${path} may do more than link → begin those lines with: restrict,command="agent-chat link --stdio --peer <host>"`,
    ])
    writeFileSync(path, `restrict,${command}\n`)
    chmodSync(path, 0o666)
    expect(lines(bus, userHome).slice(1)).toEqual([
      `failed: others may write ${path} → chmod 600 ${path}`,
    ])
    const other = tempDirectory()
    symlinkSync('/nowhere', join(other, '.ssh'))
    expect(lines(bus, other)).toHaveLength(1)
  })
})
