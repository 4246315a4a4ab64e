import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { escalationFields } from '../../message/escalation.ts'
import { runCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempHome } from '../../testing/home.ts'
import { sendMessage } from '../mail/send.ts'
import { escalationId, escalationNumbers, nameEscalation, nextEscalation } from './escalations.ts'

const ID = '20261121T033912.123456Z-from-backend'
const OTHER = '20261121T033912.123457Z-from-backend'

describe('the number of a decision', () => {
  test('is the next after all that were ever given', () => {
    const home = tempHome()
    expect(nextEscalation(home).number).toBe(1)
    expect(nextEscalation(home).number).toBe(2)
    for (const file of ['9', '10', '11.tmp', '007', 'x', '1234567890'])
      writeFileSync(`${home.escalations}/${file}`, '')
    expect(nextEscalation(home).number).toBe(11)
    expect(escalationNumbers(home).sort((a, b) => a - b)).toEqual([1, 2, 9, 10, 11])
  })

  test('leads to the message that asks, and to nothing before there is one', () => {
    const home = tempHome()
    const { number } = nextEscalation(home)
    expect(escalationId(home, number)).toBeUndefined()
    nameEscalation(home, number, ID)
    expect(escalationId(home, number)).toBe(ID)
    expect(escalationId(home, 2)).toBeUndefined()
  })

  test('is not taken away by another message that says it has it', () => {
    const home = tempHome()
    nameEscalation(home, 4, ID)
    nameEscalation(home, 4, OTHER)
    expect(readFileSync(home.escalation(4), 'utf8')).toBe(`${ID}\n`)
  })

  test.each(['', '\0\0', '../sessions', 'two words'])(
    'that leads to %j leads nowhere, and can be written',
    (text) => {
      const home = tempHome()
      nextEscalation(home)
      writeFileSync(home.escalation(1), text)
      expect(escalationId(home, 1)).toBeUndefined()
      nameEscalation(home, 1, ID)
      expect(escalationId(home, 1)).toBe(ID)
    },
  )

  test('is given back by a sender that did not send, and by none that did', () => {
    const bus = tempBus(['backend'])
    const unsent = nextEscalation(bus.home)
    unsent.drop()
    unsent.drop()
    const failed = nextEscalation(bus.home)
    expect(failed.number).toBe(1)
    // As it is after a delivery that failed: the message is gone.
    nameEscalation(bus.home, 1, ID)
    failed.drop()
    const sent = nextEscalation(bus.home)
    const extra = escalationFields(sent.number, ['yes', 'no'])
    const { message } = sendMessage(bus, {
      from: 'backend',
      to: 'human',
      kind: 'question',
      body: 'x',
      extra,
    })
    sent.drop()
    expect(escalationId(bus.home, 1)).toBe(message.id)
    expect(nextEscalation(bus.home).number).toBe(2)
  })

  test('is another for each of eight that ask at once', async () => {
    const home = tempHome('backend')
    const args = ['escalate', 'which?', '--as', 'backend', '--json']
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => runCli(args, { home: home.root })),
    )
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0))
    const given = runs.map(({ stdout }) => JSON.parse(stdout))
    expect(given.map(({ escalation }) => Number(escalation)).sort()).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ])
    for (const { id, escalation } of given) expect(escalationId(home, Number(escalation))).toBe(id)
    expect(filesIn(home.escalations)).toHaveLength(8)
  })
})
