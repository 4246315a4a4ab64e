import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Stdio } from '../system/stdio.ts'
import type { First } from './first.ts'
import { type LineError, refusedAnswer, rubbishAnswer } from './rubbish.ts'

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

/** A line that is longer, in bytes, is left to the SDK, which ends there. */
const LONGEST = 10 * 1024 * 1024

/**
 * Standard input and output, from where the first answers have come to. `onSent` is told of each
 * message once it was written out; `isBusy` whether calls are under way that end soon. The SDK
 * passes over lines that it cannot read; here each has an error as its answer.
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
    const take = this._ondata
    let rest: Buffer = Buffer.alloc(0)
    this._ondata = (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        const line = rest.subarray(0, at + 1)
        rest = rest.subarray(at + 1)
        const answer = this.#read(line, take)
        if (answer) output.write(`${JSON.stringify(answer)}\n`)
      }
      if (rest.length > LONGEST) take(rest)
    }
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

  /** Has the SDK take a line; gives the answer where that is no request. */
  #read(line: Buffer, take: (line: Buffer) => void): LineError | undefined {
    const text = line.toString()
    const answer = rubbishAnswer(text)
    if (answer) return answer
    const { onerror } = this
    let isRefused = false
    this.onerror = (error) => {
      isRefused = true
      onerror?.(error)
    }
    take(line)
    if (onerror) this.onerror = onerror
    else delete this.onerror
    return isRefused ? refusedAnswer(text) : undefined
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
