import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { expect } from 'vitest'
import { open } from '../../src/link/nats/client.ts'
import { certificateOf, readTeam } from '../../src/link/nats/files.ts'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { count, SENDERS, sender } from './count.ts'
import { bridgePage as page } from './measure.ts'
import { hears, makeTeam, type TeamWorld } from './nats.ts'
import type { Network } from './netns.ts'
import { MESSAGES } from './world.ts'

/** No bridge outlives its case by more. */
export const LIMIT_MS = 280_000

export type Work = {
  team: TeamWorld
  send: () => string
  waiting: () => number
  bridges: ChildProcess[]
}

/** A team of a and b, a case, and its row. `others`: further machines, and their sessions. */
export async function run(
  name: string,
  work: (world: Work) => Promise<{ sent: string[]; note: string }>,
  {
    network,
    others = {},
  }: { network?: Network | undefined; others?: Record<string, string[]> } = {},
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-nats-'))
  const team = await makeTeam(directory, { a: SENDERS, b: ['frontend'], ...others }, network)
  const { a, b } = team.homes
  try {
    if (a === undefined || b === undefined) throw new Error('no homes')
    const bridges = ['a', 'b'].map((host) => team.bridge(host, LIMIT_MS))
    await hears(team, 'a', 'b')
    await hears(team, 'b', 'a')
    const waiting = () => filesIn(a.out('b')).length
    const { sent, note } = await work({ team, send: sender(a), waiting, bridges })
    await until('all has arrived', () => waiting() === 0, 200_000)
    const counts = count(b, sent)
    page.row(name, counts, note)
    expect(counts).toEqual({ sent: sent.length, lost: 0, twice: 0, order: 0 })
  } finally {
    await team.stop()
    network?.stop()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

export async function asAdmin(
  team: TeamWorld,
  work: (connection: NatsConnection) => Promise<unknown>,
): Promise<void> {
  const { a } = team.homes
  if (a === undefined) throw new Error('no home')
  const connection = await open({ ...readTeam(a), ca: certificateOf(a) })
  await work(connection)
  await connection.close()
}

/** The stream of the team, changed. */
export const change = (team: TeamWorld, config: object) =>
  asAdmin(team, async (connection) => {
    const { streams } = await jetstreamManager(connection, { checkAPI: false })
    await streams.update('AC_CREW', config)
  })

/** Sends all, doing harm each time after so many. */
export async function harmed(
  { send, waiting }: Work,
  times: number,
  harm: (time: number, last: string) => Promise<void>,
): Promise<string[]> {
  const sent: string[] = []
  for (let time = 0; time < times; time += 1) {
    const before = waiting()
    for (let n = 0; n < Math.ceil(MESSAGES / times); n += 1) sent.push(send())
    const most = before + Math.ceil(MESSAGES / times)
    await until('something arrives', () => waiting() < most)
    await harm(time, sent.at(-1) ?? '')
  }
  return sent
}
