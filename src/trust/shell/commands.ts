/**
 * A command as it is written in a line. `words`: what a shell makes of them, with `ANY` for what is
 * only known when it runs; `input`: the text that it is given to read; `next`: what follows it.
 */
export type Command = { words: string[]; input?: string; next: '&&' | ';' }

/** Stands in a word for any text, which may have a slash in it or be more than one word. */
export const ANY = '\0'

type Heredoc = { end: string; tabs: boolean; of: Command }
type Reading = {
  text: string
  at: number
  depth: number
  found: Command[]
  values: Map<string, string>
  heredocs: Heredoc[]
}

/** Deeper than anybody writes: then the rest of a line is words. */
const DEEPEST = 50
/** Words before a command that are none of its own. */
const BEFORE = /^(?:if|then|elif|else|while|until|do|!|\{|time|coproc)$/
const SET = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/
/** What makes a file or directory that nobody else has, where mktemp(1) puts it by itself. */
const MAKES = /^(?:\/usr\/bin\/)?mktemp(?: (?:-[dqu]+|--directory|--quiet))*$/

/**
 * The commands that are written in a line, wherever they are: also in brackets, loops, conditions
 * and substitutions. It is no judge of what a line does. What a shell would refuse is read as well
 * as can be: it may run what is written there.
 */
export function commandsIn(text: string): Command[] {
  const reading = { text, at: 0, depth: 0, found: [], values: new Map(), heredocs: [] }
  while (reading.at < text.length) {
    readCommands(reading)
    reading.at += 1
  }
  return reading.found
}

/** Reads up to a bracket that ends, or to the end of the text. */
function readCommands(reading: Reading): void {
  const { text } = reading
  let command: Command = { words: [], next: ';' }
  const finish = (next: Command['next'] = ';') => {
    const words = withoutSets(command.words, reading.values)
    // A heredoc that comes behind belongs to this very command.
    Object.assign(command, { words, next })
    if (words.length > 0) reading.found.push(command)
    command = { words: [], next: ';' }
  }
  while (reading.at < text.length && text[reading.at] !== ')') {
    const sign = text[reading.at] ?? ''
    if (sign === '(') {
      finish()
      nested(reading, 1)
    } else if (';&|\n'.includes(sign)) {
      const both = /^(?:&>>?|&&|\|\||[;&|\n])/.exec(text.slice(reading.at, reading.at + 3))?.[0]
      if (both?.startsWith('&>')) readRedirection(reading, command)
      else {
        finish(both === '&&' ? '&&' : ';')
        reading.at += both?.length ?? 1
        if (sign === '\n') skipHeredocs(reading)
      }
    } else if (' \t\r'.includes(sign)) reading.at += 1
    else if (sign === '\\' && text[reading.at + 1] === '\n') reading.at += 2
    else if (sign === '#') reading.at = endOf(text, '\n', reading.at)
    else if ('<>'.includes(sign)) readRedirection(reading, command)
    else command.words.push(readWord(reading))
  }
  finish()
}

/** Reads what is in brackets that begin here, `skip` signs long; gives the first command there. */
function nested(reading: Reading, skip: number): string {
  reading.at += skip
  const from = reading.found.length
  reading.depth += 1
  if (reading.depth < DEEPEST) readCommands(reading)
  reading.depth -= 1
  reading.at += 1
  return reading.found[from]?.words.join(' ') ?? ''
}

function withoutSets(words: string[], values: Map<string, string>): string[] {
  const [first] = words
  if (first === undefined) return words
  const [, name, value = ''] = SET.exec(first) ?? []
  if (name === undefined) return BEFORE.test(first) ? withoutSets(words.slice(1), values) : words
  values.set(name, value)
  return withoutSets(words.slice(1), values)
}

/** `>file`, `2>&1`, `<file` and `<<<` with their words; a heredoc begins with the next line. */
function readRedirection(reading: Reading, command: Command): void {
  const { text } = reading
  if (/^\d+$/.test(command.words.at(-1) ?? '') && /\d/.test(text[reading.at - 1] ?? ''))
    command.words.pop()
  if (/^[<>]\(/.test(text.slice(reading.at, reading.at + 2))) {
    nested(reading, 2)
    command.words.push(ANY)
    return
  }
  const sign = /^(?:<<<|<<-?|&>>?|>>|[<>]&|>\||<>|[<>])/.exec(text.slice(reading.at))?.[0] ?? ''
  reading.at += sign.length
  while (' \t'.includes(text[reading.at] ?? '\n')) reading.at += 1
  const word = readWord(reading)
  if (sign === '<<<') command.input = word
  if (/^<<-?$/.test(sign)) reading.heredocs.push({ end: word, tabs: sign === '<<-', of: command })
}

function skipHeredocs(reading: Reading): void {
  for (const { end, tabs, of } of reading.heredocs.splice(0)) {
    const lines: string[] = []
    while (reading.at < reading.text.length) {
      const until = endOf(reading.text, '\n', reading.at)
      const line = reading.text.slice(reading.at, until)
      reading.at = until + 1
      if ((tabs ? line.replace(/^\t+/, '') : line) === end) break
      lines.push(line)
    }
    of.input = lines.join('\n')
  }
}

function readWord(reading: Reading): string {
  let word = ''
  for (;;) {
    const sign = reading.text[reading.at]
    if (sign === undefined || ' \t\r\n;&|()<>'.includes(sign)) return word
    word += readPart(reading, sign)
  }
}

function readPart(reading: Reading, sign: string): string {
  const { text, at } = reading
  if (sign === "'") {
    reading.at = endOf(text, "'", at + 1) + 1
    return text.slice(at + 1, reading.at - 1)
  }
  if (sign === '"') return readQuoted(reading)
  if (sign === '\\') {
    reading.at += 2
    return text[at + 1] === '\n' ? '' : (text[at + 1] ?? '')
  }
  if (sign === '$' || sign === '`') return readDollar(reading)
  reading.at += 1
  return sign === '~' && isAtStart(text, at) ? ANY : sign
}

/** Whether a word begins here: there `~` is a home directory. */
function isAtStart(text: string, at: number): boolean {
  return /^[\s;&|(]?$/.test(text[at - 1] ?? '')
}

function readQuoted(reading: Reading): string {
  let word = ''
  reading.at += 1
  while (reading.at < reading.text.length) {
    const sign = reading.text[reading.at] ?? ''
    const next = reading.text[reading.at + 1] ?? ''
    if (sign === '"') break
    if (sign === '$' || sign === '`') word += readDollar(reading)
    else if (sign === '\\' && '$`"\\\n'.includes(next)) {
      word += next === '\n' ? '' : next
      reading.at += 2
    } else {
      word += sign
      reading.at += 1
    }
  }
  reading.at += 1
  return word
}

/** What is put in place of a `$…` or of backquotes, where that is known. */
function readDollar(reading: Reading): string {
  const { text, at } = reading
  if (text[at] === '`') {
    const end = endOf(text, '`', at + 1)
    const inside = text.slice(at + 1, end).replace(/\\([\\`$])/g, '$1')
    reading.found.push(...commandsIn(inside))
    reading.at = end + 1
    return ANY
  }
  if (text[at + 1] === '(') return MAKES.test(nested(reading, 2)) ? `/tmp/tmp.${ANY}` : ANY
  if (text[at + 1] === "'") {
    reading.at += 1
    const [, inside = ''] = /^'((?:\\[\s\S]|[^'\\])*)/.exec(text.slice(reading.at)) ?? []
    reading.at += inside.length + 2
    return inside.includes('\\') ? ANY : inside
  }
  const [whole = '$', braced, plain] =
    /^\$(?:\{([^{}]*)\}|(\w+|[@*#?$!-]))/.exec(text.slice(at)) ?? []
  reading.at += whole.length
  return whole === '$' ? '$' : (reading.values.get(braced ?? plain ?? '') ?? ANY)
}

/** Where a sign is next, from `at` on; the end of the text where it is not. */
function endOf(text: string, sign: string, at: number): number {
  const found = text.indexOf(sign, at)
  return found < 0 ? text.length : found
}
