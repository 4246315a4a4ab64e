/**
 * What an argument's parser throws: commander knows it by its code, and names the argument in the message. Not its own class, because
 * commands come in files of their own, and each would bring a second commander along.
 */
export function invalidArgument(message: string): Error {
  return Object.assign(new Error(message), { code: 'commander.invalidArgument', exitCode: 1 })
}

/** A number of seconds, from 0, with decimals. */
export function parseSeconds(text: string): number {
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text)) return Number(text)
  throw invalidArgument('It must be a number of seconds.')
}
