import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { isCoded } from '../../errors.ts'
import type { FileWatch, LastNote } from '../../session/fileWatches.ts'
import { readState } from '../../session/stateFile.ts'
import { agentsOn } from '../../testing/agent.ts'
import { MAX_HOPS } from '../../trust/sendGate/limits.ts'
import { type PostPorts, post } from '../post.ts'
import { noteLineage } from './lineage.ts'

function portsOf(bus: Bus): PostPorts {
  return { env: {}, bus: () => bus, notice: () => {}, self: { node: 'true', script: '', root: '' } }
}

async function sendNotes(bus: Bus, count: number): Promise<(string | undefined)[]> {
  let last: LastNote | null = null
  const rings: (string | undefined)[] = []
  for (let at = 0; at < count; at += 1) {
    const watch: FileWatch = {
      path: '/x',
      notify: 'frontend',
      from: 'backend',
      since: '',
      watcher: null,
      last,
    }
    const lineage = noteLineage(bus, watch)
    const { message, silent } = await post(
      { from: 'backend', to: 'frontend', kind: 'note', body: `changed ${at}`, lineage },
      portsOf(bus),
    )
    last = { id: message.id, chain: message.chain, hops: message.hops, at: message.timestamp }
    rings.push(silent?.ring)
  }
  return rings
}

describe('notes of a watched file at the gate', () => {
  test('pass in a turn in which its session may not write, take no work from it, and are held after four', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend] = agents
    await backend?.rung('frontend')
    const own = await post(
      { from: 'backend', to: 'frontend', kind: 'note', body: 'of its own' },
      portsOf(bus),
    ).catch((error: unknown) => error)
    expect(isCoded(own, 'GATE_REFUSED')).toBe(true)
    await backend?.did('Edit', { file_path: '/x' })
    const before = readState(bus.home, 'backend')?.turn
    expect(before?.work).toBeGreaterThan(0)
    expect(await sendNotes(bus, MAX_HOPS + 2)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'held',
      'held',
    ])
    expect(readState(bus.home, 'backend')?.turn).toEqual(before)
  })

  test('open nothing for their session in a turn of the human either: they are held all the same', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    await agents[0]?.human()
    expect((await sendNotes(bus, MAX_HOPS + 1)).at(-1)).toBe('held')
  })
})
