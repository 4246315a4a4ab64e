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
