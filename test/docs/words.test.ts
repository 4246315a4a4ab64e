import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { EXIT } from '../../src/chat/exit.ts'
import { verbs } from '../../src/message/verbs.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SRC = join(ROOT, 'src')

/** Commands that no help names. */
const HIDDEN: readonly string[] = verbs().flatMap((verb) => ('hidden' in verb ? [verb.word] : []))

/** Which argument of a call is text for a person or a model, by the name of what is called. */
const SPOKEN: Record<string, number> = {
  CodedError: 1,
  argument: 1,
  createOption: 1,
  description: 0,
  notice: 0,
  option: 1,
  print: 0,
}

/** Properties whose value is such a text. */
const NAMED =
  /^(additionalContext|description|detail|hint|permissionDecisionReason|reason|stopReason|summary|systemMessage|why)$/

/** Elsewhere, two words in a row are a sentence or a part of one. */
const PROSE = /\p{L}{2,}[,.:;’']? \p{L}{2,}/u

/** Words that the rules in AGENTS.md replace, and what says the same. */
const FORBIDDEN: [RegExp, string][] = [
  [/\bmend(s|ed|ing)?\b/i, 'repair'],
  [/\banew\b/i, 'again'],
  [/\bwhom\b/i, 'the name of what is meant'],
  [/\btells? of\b/i, 'say'],
  [/\b(invalid|illegal)\b/i, 'what was typed, and what is expected'],
  [/\b(please|sorry|oops)\b(?! (that|task) (that )?the)/i, 'nothing'],
  [/\b(unable|failed) to\b/i, 'cannot, could not'],
  [/\w, too\b(?!.*\[Unit\])/i, 'too, without a comma'],
]
/** An error or a hint: one line, and no more than is read at a glance, in characters. */
const LONGEST_LINE = 220

/** What the program's own help says that there is: `docs/commands.md` is made from it. */
const HELP = new Map(
  readFileSync(join(ROOT, 'docs', 'commands.md'), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((part) => [/^\S+/.exec(part)?.[0] ?? '', new Set(part.match(/--[a-z][\w-]*/g))]),
)
/** Options of the launcher, and of every command. */
const EVERYWHERE = ['--json', '--as', '--help', '--version']

/** A command to type: behind a colon, a backtick, or a word like `with`; in a sentence it is a name. */
const COMMAND =
  /(?:[:`>]\s?|\b(?:with|see|run|and|or|by) `?|&& )agent-chat (?!(?:can|cannot|could|did|has|is|makes|will|would)\b)([a-z][\w-]*)([^`;,)⏎&]*)/g

const texts = sources().flatMap(([path, code]) => textsOf(code).map((text) => ({ path, text })))

test('no text has a word that its rules replace', () => {
  const wrong = texts.flatMap(({ path, text }) =>
    FORBIDDEN.flatMap(([word, better]) =>
      word.test(text) ? [`${path}: "${text}" (say: ${better})`] : [],
    ),
  )
  expect(wrong).toEqual([])
})

test('an error and its hint are one line each, and short', () => {
  const wrong = sources().flatMap(([path, code]) =>
    errorsOf(code).flatMap((text) =>
      text.length > LONGEST_LINE || /\n/.test(text) || /[^.…]\.$/.test(text)
        ? [
            `${path}: "${text}" (one line of at most ${LONGEST_LINE} characters, without a full stop)`,
          ]
        : [],
    ),
  )
  expect(wrong).toEqual([])
})

test('a command that a text tells to type is one, with options that it has', () => {
  const told = texts.flatMap(({ path, text }) =>
    [...text.matchAll(COMMAND)].map(([, verb = '', rest = '']) => ({ path, text, verb, rest })),
  )
  expect(told.length).toBeGreaterThan(100)
  const wrong = told.filter(({ verb, rest }) => {
    const options = HELP.get(verb)
    const given = rest.match(/(?<=\s)--[a-z][\w-]*/g) ?? []
    return (
      options === undefined || given.some((one) => !options.has(one) && !EVERYWHERE.includes(one))
    )
  })
  expect(wrong.filter(({ verb }) => !HIDDEN.includes(verb))).toEqual([])
})

test('an exit code that a text names is one of the program’s, and each of these has a meaning in the help', () => {
  const codes = Object.values(EXIT)
  const named = texts.flatMap(({ text }) =>
    [...text.matchAll(/\bexit (\d+)\b/g)].map(([, code]) => Number(code)),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((code) => !codes.some((one) => one === code))).toEqual([])
})

function sources(): [path: string, code: string][] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^testing\//.test(path))
    .sort()
    .map((path) => [path, readFileSync(join(SRC, path), 'utf8')])
}

/** The texts of errors: what a `CodedError` says, and its hint. */
function errorsOf(code: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && lastName(node.expression) === 'CodedError') {
      const [, message, options] = node.arguments ?? []
      const hint =
        options && ts.isObjectLiteralExpression(options)
          ? options.properties.find((one) => one.name?.getText() === 'hint')
          : undefined
      const parts = [message, hint && ts.isPropertyAssignment(hint) ? hint.initializer : undefined]
      for (const part of parts) {
        const text = part && textOf(part)
        if (text !== undefined) found.push(text)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true))
  return found
}

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code, as a text
  ["throw new CodedError('USAGE', 'no', { hint: `see: ${name}` })", ['no', 'see: {name}']],
  ["command.option('--file <path>', 'the body')", ['the body']],
  ["ports.notice('kept in ' + file.path + word)", ['kept in {path}{word}']],
  ["const state = open ? 'waits for you' : 'idle'", ['waits for you']],
  ["type T = 'two words'; import 'a b c'; const code = 'NOT_TEXT'", []],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code, as a text
  ['`${count} left, ${rest > 0 ? `and ${rest} more left` : ""}`', ['and {rest} more left']],
])('of %s', (code, texts) => expect(textsOf(code)).toEqual(texts))

/**
 * The texts of a source file in their order, each on one line, with `{name}` where a value goes.
 */
function textsOf(code: string): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node, spoken: boolean): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    const text = textOf(node)
    if (text !== undefined && (PROSE.test(text) || (spoken && /\p{L}/u.test(text))))
      found.add(text.trim().replaceAll('\n', '⏎'))
    for (const child of inner(node)) visit(child, isSpoken(node, child, spoken))
  }
  visit(ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true), false)
  return [...found]
}

/** A literal, or literals joined by `+`, as one text. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, { expression, literal }) => `${text}{${lastName(expression)}}${literal.text}`,
      node.head.text,
    )
  const sides = sidesOf(node)?.map((side) => textOf(side) ?? `{${lastName(side)}}`)
  return sides && /[^{}\w]|\w /.test(sides.join('')) ? sides.join('') : undefined
}

/** What is visited below a node: what was already read as a part of its text is not. */
function inner(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression)
  const sides = sidesOf(node)
  if (sides) return sides.flatMap((side) => (textOf(side) === undefined ? [side] : inner(side)))
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  return children
}

function sidesOf(node: ts.Node): [ts.Node, ts.Node] | undefined {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return
  const sides: [ts.Node, ts.Node] = [node.left, node.right]
  return sides.some((side) => textOf(side) !== undefined) ? sides : undefined
}

function isSpoken(node: ts.Node, child: ts.Node, spoken: boolean): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const at = SPOKEN[lastName(node.expression)]
    return at !== undefined && node.arguments?.[at] === child
  }
  if (ts.isPropertyAssignment(node))
    return child === node.initializer && NAMED.test(node.name.getText())
  // A choice between texts, or a text in brackets, is spoken as the whole is.
  const passes = ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node)
  return spoken && passes && !(ts.isConditionalExpression(node) && child === node.condition)
}

function lastName(node: ts.Node): string {
  return /([A-Za-z_]\w*)\W*$/.exec(node.getText())?.[1] ?? '…'
}
