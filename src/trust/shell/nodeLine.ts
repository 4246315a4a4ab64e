import type { Operand } from './operand.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

const TEXT = `'[^'\\\\\\n]*'|"[^"\\\\\\n]*"`
const FACT = 'process\\.(?:version|platform|arch|versions(?:\\.[a-z]\\w*)?)'
/** A number, a text, or what node says of itself: none is read from a file. */
const VALUE = new RegExp(`^(?:\\d{1,15}|${TEXT}|${FACT})$`)

/** Files by which asdf, mise, nodenv and Volta run another node, or fetch it. */
const NAMES_NODE: [name: string, text: RegExp][] = [
  ...['.tool-versions', 'mise.toml', '.mise.toml', '.node-version'].map(
    (name): [string, RegExp] => [name, /\S/],
  ),
  ['package.json', /"volta"/],
]

/** node with one value to print, and no other option: `-p` prints it, and `-e` has to. */
export function judgeNodeLine(args: Operand[], { place }: Scope): void {
  const [option, code, ...more] = args.map(({ value }) => value)
  const isPrinted = option === '-p' || option === '--print'
  const text = /^(?:console\.log\((.*)\);?|(.*))$/.exec(code ?? '')
  const value = text?.[1] ?? (isPrinted ? text?.[2] : undefined)
  const isLine = isPrinted || option === '-e' || option === '--eval'
  if (!isLine || more.length > 0 || value === undefined || !VALUE.test(value))
    doubt('node with code that may do more than print')
  if (place.isSet('NODE_OPTIONS')) doubt('node where NODE_OPTIONS is set')
  if (NAMES_NODE.some(([name, is]) => place.finds(name, is)))
    doubt('node where the project says which node it is')
}
