import { realpathSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import { isoTime } from '../message/time.ts'
import { type Allow, changeAllows, readAllows } from '../trust/allow/file.ts'
import { whyNever } from '../trust/allow/never.ts'
import { scriptOf } from '../trust/allow/script.ts'
import { wordsOf } from '../trust/shell/reading.ts'
import { isOwnTool } from '../trust/toolGate/ownTools.ts'
import { requireHuman } from './human.ts'
import type { Ports } from './ports.ts'

type AllowPorts = Pick<Ports, 'bus' | 'env' | 'pressed' | 'cwd'>
type Asked = { text: string; project: boolean }

/** What is allowed in every turn. Throws `USAGE` where the file says something else. */
export function listAllows({ bus }: Pick<Ports, 'bus'>): Allow[] {
  return known(readAllows(bus().home), bus().home.allowed)
}

/**
 * Lets a command, or a tool of an MCP server, pass in every turn; with `project`, in the directory
 * alone in which this is said. Throws `USAGE` for one that could be anything, `GATE_REFUSED` where
 * nobody but an agent says so.
 */
export function allow({ text, project }: Asked, ports: AllowPorts): Allow {
  requireHuman('allow', ports)
  const allowed = allowIn({ text, project }, ports.cwd, ports.bus())
  keepAllow(allowed, ports.bus())
  return allowed
}

/** What it would be to allow this in a directory. Throws `USAGE` for what could be anything. */
export function allowIn(
  { text, project }: Asked,
  directory: string,
  { clock }: Pick<Bus, 'clock'>,
): Allow {
  const cwd = realpathSync(directory)
  const words = wordsIn(text)
  const script = text.startsWith('mcp__') ? undefined : scriptOf(words, cwd)
  if (script === 'missing')
    throw refusal(text, `nothing in ${cwd} says what it runs`, 'run this in the project itself')
  return {
    ...{ text, words, project: project ? cwd : null, script: script?.digest ?? null },
    at: isoTime(clock.now()),
  }
}

/** Writes down what the human allows: the caller knows that it is theirs. */
export function keepAllow(allowed: Allow, bus: Bus): void {
  changeAllows(bus, (before) => [
    ...known(before, bus.home.allowed).filter((one) => !isSame(one, allowed)),
    allowed,
  ])
  record(bus, 'allowed', { command: allowed.text, project: allowed.project })
}

/** Takes it back, here and everywhere; with `project`, in this directory alone. Throws `USAGE`. */
export function disallow({ text, project }: Asked, ports: AllowPorts): Allow[] {
  requireHuman('allow', ports)
  const bus = ports.bus()
  const cwd = realpathSync(ports.cwd)
  const all = listAllows(ports)
  const words = wordsOf(text) ?? [text]
  const isIt = (one: Allow) =>
    (one.text === text || isSaid(one.words, words)) && (!project || one.project === cwd)
  const removed = all.filter(isIt)
  if (removed.length === 0)
    throw new CodedError('USAGE', `${JSON.stringify(text)} is not allowed`, {
      hint: 'see what is: agent-chat allow',
    })
  changeAllows(bus, (before) => known(before, bus.home.allowed).filter((one) => !isIt(one)))
  record(bus, 'allow-removed', { command: text })
  return removed
}

function wordsIn(text: string): string[] {
  if (text.startsWith('mcp__')) {
    if (/^mcp__[\w-]+__[\w-]+$/.test(text) && !isOwnTool(text)) return [text]
    throw refusal(text, 'it is not the exact name of a tool', 'for example: mcp__github__get_issue')
  }
  const words = wordsOf(text)
  const why = words === undefined ? 'it is more than one program with plain words' : whyNever(words)
  if (words && why === undefined) return words
  throw refusal(
    text,
    why ?? '',
    'name one command without quotes, variables, pipes or redirections',
  )
}

function refusal(text: string, why: string, hint: string): CodedError {
  return new CodedError('USAGE', `${JSON.stringify(text)} cannot be allowed: ${why}`, { hint })
}

function isSame(one: Allow, other: Allow): boolean {
  return isSaid(one.words, other.words) && one.project === other.project
}

/** Whether both are the same words, however they are written. */
function isSaid(words: string[], others: string[]): boolean {
  return JSON.stringify(words) === JSON.stringify(others)
}

/** What nobody can read is not written over: it may be the human's own work with an editor. */
function known(allows: Allow[] | undefined, path: string): Allow[] {
  if (allows) return allows
  throw new CodedError('USAGE', `${path} is not a list of allowed commands; nothing is allowed`, {
    hint: `repair it, or remove it: rm ${path}`,
  })
}
