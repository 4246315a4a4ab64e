import { styleText } from 'node:util'

/** How a piece of text is meant; `name` has a colour of its own for each name. */
type Tone = 'dim' | 'strong' | 'warn' | 'error' | 'good' | 'mark' | 'plain'

export type Style = { tone: (tone: Tone, text: string) => string; name: (name: string) => string }

type Format = Parameters<typeof styleText>[0]

const FORMATS: Record<Tone, Format | undefined> = {
  dim: 'gray',
  strong: 'bold',
  warn: 'yellow',
  error: 'red',
  good: 'green',
  mark: 'magenta',
  plain: undefined,
}

const NAMES = [
  'cyan',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyanBright',
  'greenBright',
  'blueBright',
] as const

/** Colours for a terminal, or none with `NO_COLOR` (no-color.org: set to anything but nothing). */
export function styleFor(env: { NO_COLOR?: string | undefined }): Style {
  if (env.NO_COLOR) return { tone: (_, text) => text, name: (name) => `@${name}` }
  return {
    tone: (tone, text) => {
      const format = FORMATS[tone]
      return format === undefined || text === '' ? text : styled(format, text)
    },
    name: (name) => styled(NAMES[hashOf(name) % NAMES.length] ?? 'cyan', `@${name}`),
  }
}

/** Node would look at this process's own output, and decide for itself. */
function styled(format: Format, text: string): string {
  return styleText(format, text, { validateStream: false })
}

/** The same number for the same name, every time. */
function hashOf(text: string): number {
  let hash = 7
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return hash
}
