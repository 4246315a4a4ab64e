import { createInterface } from 'node:readline'
import { type Bus, systemBus } from '../../src/bus/bus.ts'
import { markRead, openInbox } from '../../src/bus/mail/inbox.ts'
import { asOnlyReader } from '../../src/bus/mail/reader.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { sweepHome } from '../../src/doctor/sweep.ts'

/**
 * What the soak asks of a process that lives long: one request a line on standard input, one answer
 * a line on standard output.
 */
type Request =
  | { do: 'send'; from: string; to: string; body: string; urgent: boolean }
  | { do: 'read'; name: string }
  | { do: 'sweep' }
  | { do: 'heap' }

const bus = systemBus(process.env)

for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line)
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`)
}

async function answer(request: Request): Promise<unknown> {
  if (request.do === 'read') return read(request.name)
  if (request.do === 'sweep') return sweep()
  if (request.do === 'heap') return heap()
  const { from, to, body, urgent } = request
  const extra = urgent ? { priority: 'urgent' } : {}
  const { message, warning } = sendMessage(bus, { from, to, body, kind: 'note', extra })
  return { id: message.id, ...(warning === undefined ? {} : { warning }) }
}

function read(name: string): Promise<unknown> {
  return asOnlyReader(bus, name, () => {
    const inbox = openInbox(bus, name)
    const messages = []
    for (let message = inbox.next(); message; message = inbox.next())
      if (markRead(bus, name, message.id))
        messages.push({ id: message.id, from: message.from, body: message.body })
    return { messages, bad: inbox.bad }
  })
}

/** As `doctor` does, two minutes from now: what is younger than a minute it leaves alone. */
async function sweep(): Promise<unknown> {
  const now = () => bus.clock.now() + 120_000
  const later: Bus = { ...bus, clock: { now, micros: () => now() * 1000 } }
  return { findings: await sweepHome(later, { mend: true }) }
}

/** What is still in use after a collection, in bytes. */
function heap(): unknown {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return { bytes: heapUsed + external }
}
