/**
 * Calls back when this process's terminal is gone: its input ends or fails, or its output does.
 * Listens until the process ends: without a listener, an output that fails would end it with a
 * stack trace.
 */
export function onTerminalGone(callback: () => void): void {
  const { stdin, stdout } = process
  for (const stream of [stdin, stdout]) stream.on('error', callback)
  stdin.on('end', callback)
}

/** Calls back with what nobody caught, for the terminal has to be put back before the end. */
export function onCrash(callback: (error: unknown) => void): void {
  process.on('uncaughtException', callback)
  process.on('unhandledRejection', callback)
}
