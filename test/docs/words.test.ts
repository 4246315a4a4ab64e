import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '..', '..', 'src')
const SNAPSHOT = join(import.meta.dirname, 'words.snapshot.txt')

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

test('every text for a person or a model is in one file, and changes on purpose', async () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^testing\//.test(path))
    .sort()
  const parts = files
    .map((path) => [path, textsOf(readFileSync(join(SRC, path), 'utf8'))] as const)
    .filter(([, texts]) => texts.length > 0)
    .map(([path, texts]) => `${path}\n${texts.map((text) => `  ${text}\n`).join('')}`)
  await expect(parts.join('\n')).toMatchFileSnapshot(SNAPSHOT)
})

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
