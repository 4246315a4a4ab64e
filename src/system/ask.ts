import { createInterface } from 'node:readline/promises'

/** Asks a person at the terminal; yes only for `y` or `yes`. Ctrl-D, and anything else, is no. */
export async function askYesNo(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
