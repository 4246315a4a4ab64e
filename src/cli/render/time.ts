import { plural } from '../../message/text.ts'

const STEPS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** How long since `iso`, as short as it can be said: `40s`, `3m`, `2h`, `5d`. */
export function lasting(iso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 1000))
  if (Number.isNaN(seconds)) return '?'
  const [size, name] = STEPS.find(([least]) => seconds >= least) ?? [1, 's']
  return `${Math.floor(seconds / size)}${name.charAt(0)}`
}

/**
 * How long ago `iso` was: `3 minutes ago`. A time that lies ahead, by another clock, is `just now`.
 */
export function ago(iso: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(iso)) / 1000)
  if (Number.isNaN(seconds)) return 'at an unknown time'
  const step = STEPS.find(([size]) => seconds >= size)
  if (step) return `${plural(Math.floor(seconds / step[0]), step[1])} ago`
  return seconds < 5 ? 'just now' : `${seconds} seconds ago`
}
