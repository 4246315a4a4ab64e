/**
 * How long it is since `iso`: `12m`, `3h`, `2d`. Nothing below a minute, and for no time at all.
 */
export function sinceText(iso: string | undefined, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso ?? '')) / 60_000)
  if (!(minutes > 0)) return ''
  if (minutes < 60) return `${minutes}m`
  return minutes < 1440 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`
}

/** `12:03` in the user's time zone; `11-20 12:03` where the day is not that of `nowMs`. */
export function timeText(iso: string, nowMs: number): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return '--:--'
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  const day = (value: Date) => `${two(value.getMonth() + 1)}-${two(value.getDate())}`
  const today = new Date(nowMs)
  return date.toDateString() === today.toDateString() ? time : `${day(date)} ${time}`
}
