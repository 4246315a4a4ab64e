/**
 * What an argument's parser throws: commander knows it by its code, and names the argument in the message. Not its own class, because
 * commands come in files of their own, and each would bring a second commander along.
 */
export function invalidArgument(message: string): Error {
  return Object.assign(new Error(message), { code: 'commander.invalidArgument', exitCode: 1 })
}
