import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The most memory that a row's process has had, resident, in kilobytes. The kernel counts it until the process ends, so it is read all the time until
 * then. Linux alone.
 * @param {import('./rows.mjs').Row} row
 * @param {string} directory
 */
export async function peakOf(row, directory) {
  const input = join(directory, 'input')
  const output = join(directory, 'output')
  writeFileSync(input, row.input ?? '')
  row.before?.()
  const [stdin, stdout] = [openSync(input, 'r'), openSync(output, 'w')]
  const child = spawn(process.execPath, row.argv, {
    env: row.env,
    stdio: [stdin, stdout, 'inherit'],
  })
  closeSync(stdin)
  closeSync(stdout)
  const peak = untilEnd(child.pid ?? 0)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${row.name} ended with ${code}`)
  row.after?.(readFileSync(output, 'utf8'))
  return peak
}

/**
 * A process's most memory until now, in kilobytes; undefined once it has ended.
 * @param {number} pid
 */
export function peakNow(pid) {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes)
}

/** Not once waiting in between: the last look is then a few microseconds before the end. @param {number} pid */
function untilEnd(pid) {
  let peak = 0
  for (let now = peakNow(pid); now !== undefined; now = peakNow(pid)) peak = now
  return peak
}
