import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { SLASH_COMMANDS } from '../../src/console/model/commands.ts'
import { beginning } from '../../src/hooks/beginning.ts'
import { formatId } from '../../src/message/id.ts'
import { ringText } from '../../src/session/ringText.ts'
import { ROOT } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'

/* What a page says of a screen is what the program prints there. */

const page = (name: string) => readFileSync(join(ROOT, name), 'utf8')

/** Every source of the program as one text; literals that are joined by `+` are one. */
const PROGRAM = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^testing\//.test(path))
  .map((path) => page(join('src', path)))
  .join('\n')
  .replaceAll(/'\s*\+\s*'/g, '')

/** What differs from run to run: names, numbers, what is left out. */
const VARIES = /…|^agent-chat [a-z]+|<[^>]+>|@[\w-]+|\b\d+\b|\bn\b|ac-|:/

test.each(['docs/troubleshooting.md', 'docs/console.md'])(
  '%s quotes in italics what the program says',
  (name) => {
    const quotes = [...page(name).matchAll(/(?<![*\w])\*([^*\n`"]+)\*(?!\*)/g)].map(
      ([, quote = '']) => quote,
    )
    const parts = quotes
      .flatMap((quote) => quote.split(VARIES))
      .map((part) => part.trim())
      .filter((part) => /\w \w/.test(part))
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.filter((part) => !PROGRAM.includes(part))).toEqual([])
  },
)

test('the line that wakes an agent in the tutorial is that of a doorbell', () => {
  const line = ringText([formatId(1, 'backend')])
  expect(page('docs/tutorial.md')).toContain(`\`${line}\``)
})

/** What the human sees of a message as it begins a turn. */
const shown = (body: string) => {
  const bus = tempBus(['backend', 'frontend'])
  sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
  return beginning(bus, 'frontend', '@backend', false)
}

test('the line for you in the tutorial is that of a turn that a message begins', () => {
  const [, line = ''] =
    /`(agent-chat: message from @backend [^`]*; )…`/.exec(page('docs/tutorial.md')) ?? []
  expect(line).toContain('HELLO.md is there')
  expect(shown('HELLO.md is there').startsWith(line)).toBe(true)
})

test('security.md and guardrails.md say of that line what it has', () => {
  expect(page('docs/security.md').replaceAll(/\s+/g, ' ')).toContain(
    'a line at the start of a turn, also show you what a message is about',
  )
  expect(shown('x')).toContain('"x"')
  expect(page('docs/guardrails.md')).toContain(
    '| an edit inside the project | edits inside the project, and no command |',
  )
  expect(shown('x')).toMatch(/; a yes to an edit covers edits inside the project$/)
})

test.each(['docs/console.md', 'docs/workers.md'])('the console has the words of %s', (name) => {
  const known = SLASH_COMMANDS.map(({ word }) => word)
  const named = [...page(name).matchAll(/`(?:@[a-z]+ )?\/([a-z]+)[^`/]*`/g)].map(
    ([, word = '']) => word,
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((word) => !known.includes(word))).toEqual([])
})
