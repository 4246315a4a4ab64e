import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Stdio } from '../system/stdio.ts'
import type { First } from './first.ts'

type Message = Parameters<StdioServerTransport['send']>[0]

type Options = {
  stdio: Stdio
  first: First
  onSent: (message: Message) => void
  isBusy: () => boolean
}

/** After the host has closed its end, calls that are under way are answered for so long. */
const LAST_MS = 5000
const LOOK_MS = 10

/**
 * Standard input and output, from where the first answers have come to. `onSent` is told of each
 * message once it was written out; `isBusy` whether calls are under way that end soon.
 */
export class Transport extends StdioServerTransport {
  readonly ended: Promise<void>
  #end: () => void = () => {}
  readonly #onSent: (message: Message) => void

  #answered: First['answered']

  readonly #input: Stdio['input']

  constructor({ stdio: { input, output }, first, onSent, isBusy }: Options) {
    super(input, output)
    this.#input = input
    input.unshift(first.left)
    this.#answered = first.answered
    this.#onSent = onSent
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const closeNow = () => {
      this.close().catch(() => {})
    }
    this._onstdinclose = () => {
      const until = performance.now() + LAST_MS
      const look = () =>
        isBusy() && performance.now() < until ? setTimeout(look, LOOK_MS) : closeNow()
      setImmediate(look)
    }
  }

  override async start(): Promise<void> {
    await super.start()
    this.#input.resume()
  }

  override async send(message: Message): Promise<void> {
    if (this.#answered !== undefined && 'result' in message && message.id === this.#answered) {
      this.#answered = undefined
      return
    }
    await super.send(message)
    this.#onSent(message)
  }

  override async close(): Promise<void> {
    await super.close()
    this.#end()
  }
}
