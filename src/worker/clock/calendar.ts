import { Cron } from 'croner'
import { plural } from '../../message/text.ts'

/** The time zone of this machine. */
function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * Why a text is no schedule, in the words of what reads it; undefined for one that is: five fields
 * (minute, hour, day, month, weekday) or `@daily` and the like, that comes at some time.
 */
export function cronTrouble(text: string): string | undefined {
  try {
    if (cronOf(text, 'UTC').nextRun(new Date(0)) !== null) return undefined
    return 'it never comes'
  } catch (error) {
    const fields = text.split(/\s+/).filter(Boolean)
    if (fields.length !== 5 && !text.startsWith('@'))
      return `it has ${plural(fields.length, 'field')}, not 5`
    const reason = error instanceof Error ? error.message : String(error)
    return reason.replace(/^CronPattern: /, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase())
  }
}

/**
 * The first time after `after` that a schedule names, both in milliseconds since 1970; undefined
 * where there is none. In the night when clocks go forward, a time that is left out comes when they
 * have gone; when they go back, one that is there twice comes once, and `*` in each hour.
 */
export function nextTime(cron: string, after: number, zone = localZone()): number | undefined {
  return cronOf(cron, zone).nextRun(new Date(after))?.getTime()
}

function cronOf(text: string, timezone: string): Cron {
  return new Cron(text.trim(), { paused: true, timezone, mode: '5-part' })
}
