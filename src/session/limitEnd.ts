/**
 * Where Claude Code tells when a usage limit ends (2.1.329): `resets 3pm (Europe/Berlin)`, and with
 * a date, `resets Nov 30, 3:45pm (UTC)`, where that is more than a day ahead.
 */
const CLOCK =
  /\bresets (?:at )?(?:([A-Z][a-z]{2}) (\d{1,2}), (?:(\d{4}), )?)?(\d{1,2})(?::(\d{2}))?([ap])m(?: \(([\w/+-]+)\))?/
/** Earlier versions: `usage limit reached|1764342000`. */
const SECONDS = /limit reached\|(\d{10})\b/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const HOUR_MS = 3_600_000
const HALF_YEAR_MS = 4380 * HOUR_MS

/**
 * When the usage limit ends that an error of the time `at` names; undefined where it names no time
 * that can be read. A time of the day that has just passed is today's. In milliseconds since 1970.
 */
export function limitEnd(error: string, at: number): number | undefined {
  const [, seconds] = SECONDS.exec(error) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const found = CLOCK.exec(error)
  if (!found) return undefined
  const [, name, date, year, hour, minute = '0', half, zone] = found
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  try {
    const today = new Date(at + offset(at, zone))
    const month = name === undefined ? today.getUTCMonth() : MONTHS.indexOf(name)
    if (month < 0) return undefined
    const day = Number(date ?? today.getUTCDate())
    const told = Number(year ?? today.getUTCFullYear())
    const on = (y: number, d: number) => atZone(Date.UTC(y, month, d, hours, Number(minute)), zone)
    const end = on(told, day)
    if (name === undefined) return end < at - HOUR_MS ? on(told, day + 1) : end
    return year === undefined && end < at - HALF_YEAR_MS ? on(told + 1, day) : end
  } catch (error) {
    // A zone that this machine does not know.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The time at which clocks of this zone show `shown`, which is written as if it were UTC. */
function atZone(shown: number, zone: string | undefined): number {
  const near = shown - offset(shown, zone)
  return shown - offset(near, zone)
}

/** By how much clocks of this zone, else this machine's, are ahead of UTC. In milliseconds. */
function offset(ms: number, timeZone: string | undefined): number {
  const second = ms - (ms % 1000)
  const text = new Date(second).toLocaleString('en-US', { timeZone, hourCycle: 'h23' })
  return Date.parse(`${text} UTC`) - second
}
