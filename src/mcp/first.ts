import type { Stdio } from '../system/stdio.ts'

/**
 * The versions of the protocol that begin with `initialize`. It is answered with the one that was
 * asked for, as the SDK does; a test holds the two together.
 */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/** After so long without a line, in ms, a host has what it asks for at its start. */
const REST_MS = 100
/** A line that is longer, in bytes, is none of these. */
const LONGEST = 64 * 1024

type Id = string | number
type Line = { id?: unknown; method?: unknown; params?: unknown }
/** What each method lists. One that throws is asked again by the SDK, which says why. */
type Lists = Record<string, () => object>

/** Where the SDK goes on: what it has to read, and the answer that the host has already. */
export type First = { left: Buffer; answered: Id | undefined }

/**
 * Answers what every host asks when it starts, `initialize` and what there is to list: these are
 * constants, and the SDK takes 50 ms to be there. Gives what it has to go on with, at the first line
 * of another kind or when the host rests; undefined where the host ends before, or `onStop` says so.
 */
export function answerFirst(
  { input, output }: Stdio,
  about: object,
  lists: Lists,
  onStop: (stop: () => void) => void,
): Promise<First | undefined> {
  return new Promise((resolve) => {
    const begin = new Beginning(about, lists, (line) => output.write(`${JSON.stringify(line)}\n`))
    let timer: NodeJS.Timeout | undefined
    const onData = (chunk: Buffer) => {
      clearTimeout(timer)
      if (!begin.read(chunk)) return onRest()
      timer = setTimeout(onRest, REST_MS)
    }
    const end = (first?: First) => {
      clearTimeout(timer)
      input.off('data', onData).off('end', onEnd).off('error', onEnd).pause()
      output.off('error', onEnd)
      resolve(first)
    }
    const onRest = () => end(begin.first())
    const onEnd = () => end()
    onStop(onEnd)
    input.on('data', onData).on('end', onEnd).on('error', onEnd)
    output.on('error', onEnd)
  })
}

/** The beginning of a conversation, as long as it is plain. */
class Beginning {
  readonly #about: object
  readonly #lists: Lists
  readonly #write: (line: object) => void
  readonly #opening: Buffer[] = []
  #answered: Id | undefined
  #rest: Buffer = Buffer.alloc(0)

  constructor(about: object, lists: Lists, write: (line: object) => void) {
    this.#about = about
    this.#lists = lists
    this.#write = write
  }

  /** Answers the lines in it; false where one is not for us, and it and all behind it is left. */
  read(chunk: Buffer): boolean {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (let at = this.#rest.indexOf(10); at >= 0; at = this.#rest.indexOf(10)) {
      if (!this.#take(this.#rest.subarray(0, at + 1))) return false
      this.#rest = this.#rest.subarray(at + 1)
    }
    return this.#rest.length <= LONGEST
  }

  first(): First {
    return { left: Buffer.concat([...this.#opening, this.#rest]), answered: this.#answered }
  }

  #take(bytes: Buffer): boolean {
    const line = lineOf(bytes.toString())
    if (line === undefined) return false
    const hasBegun = this.#answered !== undefined
    if (hasBegun && line.method === 'notifications/initialized' && !('id' in line))
      return this.#opening.push(bytes) > 0
    if (!isId(line.id)) return false
    const result = hasBegun ? listed(line, this.#lists) : begun(line, this.#about)
    if (result === undefined) return false
    if (!hasBegun) this.#opening.push(bytes)
    this.#answered ??= line.id
    this.#write({ jsonrpc: '2.0', id: line.id, result })
    return true
  }
}

function lineOf(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text)
    const isOurs = isObject(line) && line.jsonrpc === '2.0' && typeof line.method === 'string'
    return isOurs ? line : undefined
  } catch {
    return undefined
  }
}

function begun({ method, params }: Line, about: object): object | undefined {
  if (method !== 'initialize' || !isObject(params)) return undefined
  const { protocolVersion, capabilities, clientInfo } = params
  const isPlain =
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    isObject(clientInfo) &&
    typeof clientInfo.name === 'string' &&
    typeof clientInfo.version === 'string'
  if (!isPlain || !VERSIONS.some((one) => one === protocolVersion)) return undefined
  return { protocolVersion, ...about }
}

function listed({ method, params = {} }: Line, lists: Lists): object | undefined {
  const isPlain = isObject(params) && Object.keys(params).every((key) => key === '_meta')
  const list = isPlain && Object.hasOwn(lists, String(method)) ? lists[String(method)] : undefined
  try {
    return list?.()
  } catch {
    return undefined
  }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
