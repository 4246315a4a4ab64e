/** How long ago in short: `12 s`, `4 min`, `3 h`, `2 d`. */
export function ago(at: string | number | null, now: number): string {
  const then = typeof at === 'number' ? at : Date.parse(at ?? '')
  const seconds = Math.max(0, Math.floor((now - then) / 1000))
  if (Number.isNaN(seconds)) return ''
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** `14:03`, in the reader's time zone. */
export function clock(at: string | number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return '--:--'
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })

/** The day of a time: `Today`, `Yesterday`, `Saturday, November 21`. */
export function day(at: string, now: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'No date'
  if (isSameDay(date, new Date(now))) return 'Today'
  if (isSameDay(date, new Date(now - 86_400_000))) return 'Yesterday'
  return DAY.format(date)
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
