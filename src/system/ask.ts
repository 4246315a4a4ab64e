import { createInterface } from 'node:readline/promises'

/**
 * Asks a person at the terminal; yes only for `y` or `yes`. Ctrl-D, and anything else, is no. Ctrl-C
 * is no answer: `readline` takes it from the terminal, so this gives it back as the signal that ends
 * the program.
 */
export async function askYesNo(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.once('SIGINT', () => {
    terminal.close()
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  })
  try {
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
