import { ADDRESS_PATTERN } from './name.ts'
import { isoTime } from './time.ts'

const ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{6})Z-from-(.+)$/
const FROM = '-from-'
const MESSAGE_FILE = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}\.md$/
const OWN_TIME = /^\d{8}T\d{6}\.\d{6}Z-from-/

/**
 * The id of a message: UTC to the microsecond, then the sender, as
 * `20261121T033912.123456Z-from-backend`.
 * @param micros microseconds since 1970, a safe integer until the year 2255
 */
export function formatId(micros: number, from: string): string {
  const iso = isoTime(Math.floor(micros / 1000))
  const day = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10)
  const time = iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 23)
  return `${day}T${time}${String(micros % 1000).padStart(3, '0')}Z-from-${from}`
}

/** The microseconds since 1970 and the sender in an id, or undefined for another shape of name. */
export function parseId(id: string): { micros: number; from: string } | undefined {
  const match = ID.exec(id)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, micro, from = ''] = match
  const seconds =
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    ) / 1000
  if (!ADDRESS_PATTERN.test(from)) return undefined
  return { micros: seconds * 1_000_000 + Number(micro), from }
}

/** When an id was made, in milliseconds since 1970. One of the oldest form tells no time: 0. */
export function timeOfId(id: string): number {
  return (parseId(id)?.micros ?? 0) / 1000
}

/**
 * Whether a file's name is one that a message can have: `<id>.md`. A name with a time of ours has a
 * sender behind it and nothing more, so `<id>.sync-conflict-….md` is none.
 */
export function isMessageFile(fileName: string): boolean {
  if (!MESSAGE_FILE.test(fileName)) return false
  return !OWN_TIME.test(fileName) || senderOfId(fileName.slice(0, -'.md'.length)) !== undefined
}

/**
 * The id of a message file's name (`<id>.md`), or undefined where the name is none that a message
 * can have.
 */
export function idOfFile(fileName: string): string | undefined {
  return isMessageFile(fileName) ? fileName.slice(0, -'.md'.length) : undefined
}

/**
 * The sender that a message's id names, also in the older form `<any timestamp>-from-<sender>`;
 * checked, or undefined.
 */
export function senderOfId(id: string): string | undefined {
  const at = id.indexOf(FROM)
  const from = at < 0 ? '' : id.slice(at + FROM.length)
  return ADDRESS_PATTERN.test(from) ? from : undefined
}
