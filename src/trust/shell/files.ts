import { NO_OPTION, type Operand } from './operand.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

/**
 * What may wait for ever, or take what another program is to get, or what awk takes for an address
 * in the network. Nothing comes from `/dev/null`.
 */
const DEVICE =
  /^\/+(\.\/+)*(dev(\/(?!null$)|$)|inet[46]?\/(raw|tcp|udp)\/|proc\/(.*\/)?(fd(\/|$)|kmsg$)|sys\/.*\/trace_pipe(_raw)?$)/i
/** A directory in which there are such. */
const DEVICES = /^\/+(\.{1,2}\/+)*(dev|proc)(\/|$)/i
/** Such a path in a text. */
const DEVICE_NAME = /(^|[\s'":=,])\/+(?:\.{1,2}\/+)*(dev|proc)(\/(?!null\b)|\s|$)/i
/** Such a path behind what is only known when it runs. */
const BACK_TO_DEVICES = /(^|\/)\.\.\/+(dev|proc)(\/(?!null$)|$)/i
/** How a pattern may begin that finds such a path. */
const MAY_BE_DEVICE = /^\/+(\.\/+)*(d(e(v(\/.*)?)?)?|p(r(o(c(\/.*)?)?)?)?|i(n(e(t.*)?)?)?)?$/i

/** Asks where a program would open what is no plain file. */
export function needPlain(operands: Operand[], scope: Scope): void {
  for (const { value, start, toDevices } of operands) {
    if (value === undefined) {
      if (toDevices || mayBeginDevice({ value, start })) doubt('a path that may be a device')
      continue
    }
    for (const path of pathsIn(value)) {
      if (DEVICE.test(path) || leadsToDevices(path)) doubt(`the device ${path}`)
      if (scope.directories.some((from) => !isPlain(from, path, scope)))
        doubt(`${path}, which is not a regular file`)
    }
  }
}

/** Whether the known beginning of a word may be that of a device's path. */
export function mayBeginDevice({ value, start }: Pick<Operand, 'value' | 'start'>): boolean {
  const known = value ?? start.split(NO_OPTION)[0] ?? ''
  return (known !== '' && MAY_BE_DEVICE.test(known)) || DEVICE.test(known)
}

/** Whether more than a `/` is behind an unknown beginning: both may make the name of a device. */
export function mayJoin({ start, shape = '?' }: Operand): boolean {
  return start === NO_OPTION && !/^\?(\/|$)/.test(shape)
}

/** Whether a text that stands in a path may lead back to where devices are. */
export function leadsToDevices(text: string): boolean {
  return BACK_TO_DEVICES.test(text)
}

/** Asks at a text in which a device is named. */
export function needNoDeviceNames(texts: string[]): void {
  if (texts.some((text) => DEVICE_NAME.test(text))) doubt('a path that may be a device')
}

/** Asks where a program looks for files to open among devices. `onlyFiles`: it is told to. */
export function needNoDevices(paths: Operand[], onlyFiles: boolean): void {
  for (const { value, start } of paths) {
    const path = value ?? start
    const isAll = /^\/+(\.{1,2}\/*)*$/.test(path)
    if (DEVICES.test(path) || leadsToDevices(path) || (isAll && !onlyFiles))
      doubt('a path that may be a device')
  }
}

/** The word itself, and what stands in it behind an option. */
function pathsIn(word: string): string[] {
  if (word === '' || word.length > 4096) return []
  if (word.startsWith('@')) return [word, word.slice(1)]
  if (!word.startsWith('-')) return [word]
  if (word.startsWith('--')) return [/=(.*)$/s.exec(word)?.[1] ?? ''].filter(Boolean)
  // Letters may be joined, and the value to the last of them.
  const letters = /^-([A-Za-z]*)/.exec(word)?.[1]?.length ?? 0
  return Array.from({ length: Math.min(letters, 6) }, (_, at) => word.slice(at + 2)).filter(Boolean)
}

function isPlain(from: string, path: string, { place }: Scope): boolean {
  return place.isPlain(path.startsWith('/') || from === '.' ? path : `${from}/${path}`)
}
