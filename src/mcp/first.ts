import { jsonOf } from '../system/json.ts'
import type { Stdio } from '../system/stdio.ts'

/**
 * The versions of the protocol that begin with `initialize`. It is answered with the one that was
 * asked for, as the SDK does; a test holds the two together.
 */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/** The version whose every request says what it speaks; `server/discover` may come first. */
export const STATELESS = '2026-07-28'
const META = 'io.modelcontextprotocol'

/** After so long without a line, in ms, a host has what it asks for at its start. */
const REST_MS = 100
/** A line that is longer, in bytes, is none of these. */
const LONGEST = 64 * 1024

type Id = string | number
type Line = { id?: unknown; method?: unknown; params?: unknown }
type About = { serverInfo: object; capabilities: object; instructions: string }
/** What each method lists. One that throws is asked again by the SDK, which says why. */
type Lists = Record<string, () => object>

/** Where the SDK goes on: what it has to read, and the answer that the host has already. */
export type First = { left: Buffer; answered: Id | undefined }

/**
 * Answers what every host asks when it starts: `initialize` or `server/discover`, and what there is
 * to list. These answers are constants, and the SDK takes 50 ms to load. The SDK takes over at the
 * first line of another kind, or when the host rests: gives what it has to read then. Gives undefined
 * where the host ends before that, or `onStop` calls.
 */
export function answerFirst(
  { input, output }: Stdio,
  about: About,
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
  readonly #about: About
  readonly #lists: Lists
  readonly #write: (line: object) => void
  readonly #opening: Buffer[] = []
  #answered: Id | undefined
  #isStateless = false
  #rest: Buffer = Buffer.alloc(0)

  constructor(about: About, lists: Lists, write: (line: object) => void) {
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
    const isStateless = line.method === 'server/discover' || this.#isStateless
    const result = isStateless ? this.#stateless(line, hasBegun) : this.#legacy(line, hasBegun)
    if (result === undefined) return false
    if (!hasBegun) this.#opening.push(bytes)
    this.#isStateless = isStateless
    this.#answered ??= line.id
    this.#write({ jsonrpc: '2.0', id: line.id, result })
    return true
  }

  #legacy(line: Line, hasBegun: boolean): object | undefined {
    if (!hasBegun) return begun(line, this.#about)
    const { params = {} } = line
    const isPlain = isObject(params) && Object.keys(params).every((key) => key === '_meta')
    return isPlain ? listed(line, this.#lists) : undefined
  }

  #stateless(line: Line, hasBegun: boolean): object | undefined {
    if ((line.method === 'server/discover') === hasBegun || !isStateless(line.params))
      return undefined
    const { serverInfo, ...about } = this.#about
    const result = hasBegun
      ? listed(line, this.#lists)
      : { supportedVersions: [STATELESS], ...about }
    const rest = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    return result && { ...result, ...rest, _meta: { [`${META}/serverInfo`]: serverInfo } }
  }
}

function lineOf(text: string): Line | undefined {
  const line = jsonOf(text)
  const isOurs = isObject(line) && line.jsonrpc === '2.0' && typeof line.method === 'string'
  return isOurs ? line : undefined
}

function begun({ method, params }: Line, about: About): object | undefined {
  if (method !== 'initialize' || !isObject(params)) return undefined
  const { protocolVersion, capabilities, clientInfo } = params
  const isKnown = VERSIONS.some((one) => one === protocolVersion)
  return isKnown && isHost(clientInfo, capabilities) ? { protocolVersion, ...about } : undefined
}

function listed({ method }: Line, lists: Lists): object | undefined {
  try {
    return Object.hasOwn(lists, String(method)) ? lists[String(method)]?.() : undefined
  } catch {
    return undefined
  }
}

/** Whether a request has nothing but the three words of every request of that version. */
function isStateless(params: unknown): boolean {
  if (!isObject(params) || !isObject(params._meta) || Object.keys(params).length > 1) return false
  const { [`${META}/clientInfo`]: client, [`${META}/clientCapabilities`]: can } = params._meta
  return isHost(client, can) && params._meta[`${META}/protocolVersion`] === STATELESS
}

/** Whether a host says its name, its version and what it can do, as all do. */
function isHost(info: unknown, capabilities: unknown): boolean {
  const isNamed =
    isObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
  return isNamed && isObject(capabilities) && Object.values(capabilities).every(isObject)
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
