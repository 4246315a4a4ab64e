import type { Operand } from './operand.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

const TEXT = `'[^'\\\\\\n]*'|"[^"\\\\\\n]*"`
const FACT = 'process\\.(?:version|platform|arch|versions(?:\\.\\w+)?)'
const OF_FILE = `require\\((['"])\\./package\\.json\\1\\)(?:\\.[A-Za-z]\\w*|\\[['"][\\w@./:-]+['"]\\])*`

/** Whether it is a number, a text, what node says of itself, or a field of package.json. */
const isValue = (text: string) =>
  new RegExp(`^(?:\\d{1,15}|${TEXT}|${FACT}|${OF_FILE})$`).test(text)

/**
 * node with one value to print, and no other option: `-p` prints it, and `-e` has to. A package.json
 * is read as JSON (nodejs.org/api/modules.html), but only if it is a file: else node would look for
 * one with `.js` behind its name.
 */
export function judgeNodeLine(args: Operand[], { place, directories }: Scope): void {
  const [option, code, ...more] = args.map(({ value }) => value)
  const isPrinted = option === '-p' || option === '--print'
  const text = /^(?:console\.log\((.*)\);?|(.*))$/.exec(code?.trim() ?? '')
  const value = text?.[1] ?? (isPrinted ? text?.[2] : undefined)
  const isLine = isPrinted || option === '-e' || option === '--eval'
  if (!isLine || more.length > 0 || value === undefined || !isValue(value))
    doubt('node with code that may do more than print')
  const isRead = value.includes('package.json')
  const path = (from: string) => (from === '.' ? 'package.json' : `${from}/package.json`)
  if (isRead && !directories.every((from) => place.isFile(path(from))))
    doubt('a package.json that is not a file')
}
