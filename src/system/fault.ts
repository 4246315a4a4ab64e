const wanted = process.env.AGENT_CHAT_FAULT

/**
 * A named step at which a test may end this process, to see what a crash there leaves behind.
 * `AGENT_CHAT_FAULT=<step>` kills the process with SIGKILL at that step, `<step>:stop` stops it
 * with SIGSTOP; unset it costs one look.
 */
export function faultPoint(step: string): void {
  if (wanted === undefined) return
  if (wanted === step) process.kill(process.pid, 'SIGKILL')
  if (wanted === `${step}:stop`) process.kill(process.pid, 'SIGSTOP')
}
