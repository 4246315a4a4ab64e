import type { Message } from '../../message/message.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { type Following, followStream } from '../../worker/stream/follow.ts'
import type { StreamLine } from '../../worker/stream/stream.ts'
import type { StreamFlags } from '../options/stream.ts'
import type { Ports } from '../ports.ts'

/** What is printed of a stream. `end` prints the rest, and gives whether any words came. */
export type Printed = {
  begin: (message: Pick<Message, 'id' | 'to'>) => void
  end: (message: Pick<Message, 'id' | 'to'>) => boolean
  stop: () => void
  done: () => Promise<void>
}

/** Prints events as they come: lines of JSON, or the words, and a line for each tool. */
export function printStream({ json, after }: StreamFlags, ports: Ports): Printed {
  let following: Following | undefined
  let words = false
  let open = false
  const fresh = () => {
    if (open) ports.print('\n')
    open = false
  }
  const onLine = (line: StreamLine) => {
    if (json) return ports.print(`${JSON.stringify(line)}\n`)
    if (line.event === 'token') {
      ports.print(visible(line.text))
      words = true
      open = !line.text.endsWith('\n')
      return
    }
    fresh()
    if (line.event === 'tool_start') ports.print(`· ${visibleLine(line.tool)}\n`)
    if (line.event === 'start' && line.attempt > 1) ports.print('· started again\n')
  }
  const begin: Printed['begin'] = ({ id, to }) => {
    const from = after === undefined ? undefined : after + 1
    following ??= followStream({ name: to, message: id, from, onLine }, ports)
  }
  const stop = () => following?.stop()
  return {
    begin,
    stop,
    done: async () => following?.done,
    end: (message) => {
      begin(message)
      following?.look()
      stop()
      fresh()
      return words
    },
  }
}
