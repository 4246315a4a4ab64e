import { isTerminal } from './terminal.ts'

/** How many columns the terminal on standard output has; undefined where that is none, or does not say. */
export async function terminalColumns(): Promise<number | undefined> {
  return (await isTerminal(1)) ? process.stdout.columns || undefined : undefined
}
