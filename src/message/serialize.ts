import { type FieldValue, headerFields, type Message } from './message.ts'

/** Text that YAML reads as itself with every scalar left as text: words, ids, times. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._:+-]*$/

/**
 * The text of a message's file: a YAML header between `---` lines, the body as it is, one newline.
 * `parseMessage` undoes it.
 */
export function serializeMessage(message: Message): string {
  const fields = headerFields(message)
  let header = ''
  for (const key of Object.keys(fields))
    header += `${scalar(key)}:${fieldText(fields[key] ?? null)}\n`
  return `---\n${header}---\n${message.body}\n`
}

function fieldText(value: FieldValue | number): string {
  if (value === null) return ''
  if (typeof value === 'number') return ` ${value}`
  return typeof value === 'string' ? ` ${scalar(value)}` : ` ${flow(value)}`
}

function flow(value: FieldValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return quoted(value)
  // YAML reads a last entry that is empty only where a comma stands behind it.
  if (Array.isArray(value))
    return `[${value.map(flow).join(', ')}${value.at(-1) === null ? ',' : ''}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${flow(item)}`)
    .join(', ')}}`
}

function scalar(text: string): string {
  return PLAIN.test(text) && !text.endsWith(':') ? text : quoted(text)
}

/**
 * JSON's string is YAML's double-quoted string, once what YAML calls non-printable is escaped too.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
