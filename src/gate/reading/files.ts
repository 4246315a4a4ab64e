import type { Operand } from './operand.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

/**
 * What may wait for ever, or take what another program is to get. Nothing comes from `/dev/null`.
 */
const DEVICE = /^\/+(\.\/+)*(dev\/(?!null$)|proc\/(.*\/)?fd(\/|$))/i
/** How a pattern may begin that finds such a path. */
const MAY_BE_DEVICE = /^\/+(\.\/+)*(d(e(v(\/.*)?)?)?|p(r(o(c(\/.*)?)?)?)?)?$/i

/** Asks where a program would open what is no plain file. */
export function needPlain(operands: Operand[], scope: Scope): void {
  for (const { value, start, many } of operands) {
    if (value === undefined) {
      if (many ? MAY_BE_DEVICE.test(start) : DEVICE.test(start))
        doubt('a path that may be a device')
      continue
    }
    for (const path of pathsIn(value)) {
      if (DEVICE.test(path) || /(^|\/)\.\.\/+(dev|proc)\//i.test(path)) doubt(`the device ${path}`)
      if (scope.directories.some((from) => !isPlain(from, path, scope)))
        doubt(`${path}, which is not a regular file`)
    }
  }
}

/** The word itself, and what stands in it behind an option. */
function pathsIn(word: string): string[] {
  if (word === '' || word.length > 4096) return []
  if (!word.startsWith('-')) return [word]
  const value = word.startsWith('--') ? /=(.*)$/s.exec(word)?.[1] : word.slice(2)
  return value ? [value] : []
}

function isPlain(from: string, path: string, { place }: Scope): boolean {
  return place.isPlain(path.startsWith('/') || from === '.' ? path : `${from}/${path}`)
}
