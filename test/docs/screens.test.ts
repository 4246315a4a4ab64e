import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SLASH_COMMANDS } from '../../src/console/model/commands.ts'
import { formatId } from '../../src/message/id.ts'
import { ringText } from '../../src/session/ringText.ts'
import { ROOT } from '../../src/testing/cli.ts'

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

test.each(['docs/console.md', 'docs/workers.md'])('the console has the words of %s', (name) => {
  const known = SLASH_COMMANDS.map(({ word }) => word)
  const named = [...page(name).matchAll(/`(?:@[a-z]+ )?\/([a-z]+)[^`/]*`/g)].map(
    ([, word = '']) => word,
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((word) => !known.includes(word))).toEqual([])
})
