import { expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { requireHuman } from '../../chat/human.ts'
import { tempBus } from '../../testing/home.ts'
import { areRepeats, noteRepeats } from './repeats.ts'

const CODER = { what: '@coder', definition: 'a' }
const BUILD = { what: 'link me@build', definition: ['me@build', [], null, 'build'] }

/** A home in which this command has no terminal, and nothing is above it. */
function homeWithoutTerminal(): Bus {
  const bus = tempBus()
  // No process has this number, so nothing is read of it.
  const self = { pid: 2 ** 30, started: 'now' }
  const info = { ...self, parent: 1, command: 'node', group: 1, foreground: -1 }
  const processes = {
    ...bus.processes,
    self: () => self,
    find: (pid: number) => (pid === self.pid ? info : undefined),
  }
  return { ...bus, processes }
}

test('what you started passes again from nowhere, until its definition is another', () => {
  const bus = homeWithoutTerminal()
  const nowhere = { bus: () => bus, env: {} }
  const up =
    (...repeats: (typeof CODER)[]) =>
    () =>
      requireHuman('up', nowhere, repeats)
  expect(up(CODER)).toThrow(/is for your user only, and it has no terminal/)
  requireHuman('up', { ...nowhere, typed: 'terminal' }, [CODER])
  expect(up(CODER)).not.toThrow()
  expect(up({ ...CODER, definition: 'b' })).toThrow(/is for your user only/)
  expect(up(CODER, { what: '@other', definition: 'a' })).toThrow(/is for your user only/)
  expect(() => requireHuman('link', nowhere, [BUILD])).toThrow(/is for your user only/)
  for (const verb of ['approve', 'up', 'link'] as const)
    expect(() => requireHuman(verb, nowhere, [])).toThrow(/is for your user only/)
})

test('each is known by all of its definition, and none is lost by another', () => {
  const bus = tempBus()
  noteRepeats(bus, [BUILD])
  noteRepeats(bus, [CODER])
  expect(areRepeats(bus, [CODER, BUILD])).toBe(true)
  expect(areRepeats(bus, [{ ...BUILD, definition: ['me@build', ['-oX'], null, 'build'] }])).toBe(
    false,
  )
  expect(areRepeats(bus, [{ what: 'constructor', definition: 'a' }])).toBe(false)
})
