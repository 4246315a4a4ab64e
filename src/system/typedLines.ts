import { createInterface } from 'node:readline'

/** Calls back for each line of standard input, and once at its end. Gives what ends it. */
export function onTypedLine(onLine: (line: string) => void, onEnd: () => void): () => void {
  const { stdin } = process
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', onLine)
  lines.on('close', onEnd)
  stdin.on('error', () => lines.close())
  return () => {
    lines.off('close', onEnd)
    lines.close()
    stdin.pause()
    // A pipe that stays open must not keep the process.
    stdin.unref?.()
  }
}
