import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

type Message = Parameters<StdioServerTransport['send']>[0]

/** After the host has closed its end, calls that are under way are answered for so long. */
const LAST_MS = 5000
const LOOK_MS = 10

/**
 * Standard input and output. `onSent` is told of each message once it was written out; `isBusy`
 * whether calls are under way that end soon.
 */
export class Transport extends StdioServerTransport {
  readonly ended: Promise<void>
  #end: () => void = () => {}
  readonly #onSent: (message: Message) => void

  constructor({ onSent, isBusy }: { onSent: (message: Message) => void; isBusy: () => boolean }) {
    super()
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

  override async send(message: Message): Promise<void> {
    await super.send(message)
    this.#onSent(message)
  }

  override async close(): Promise<void> {
    await super.close()
    this.#end()
  }
}
