import { CodedError } from '../errors.ts'
import { NAME_PATTERN, quote } from './name.ts'

/** The machine in an address, or undefined for a session here. */
export function hostOf(address: string): string | undefined {
  const at = address.indexOf('.')
  return at < 0 ? undefined : address.slice(at + 1)
}

/** The session in an address, without its machine. */
export function nameOf(address: string): string {
  return address.split('.', 1)[0] ?? address
}

/** The name of a machine: the rule is that of names. Throws `USAGE`. */
export function parseHost(input: string): string {
  if (NAME_PATTERN.test(input)) return input
  throw new CodedError('USAGE', `${quote(input)} is not the name of a machine`, {
    hint: 'use 1 to 32 of a-z, 0-9 and -, starting with a letter, for example: laptop',
  })
}
