import { type Edit, patched } from './patch.ts'

/** A call of a tool, with Claude Code's name of it where it has one. */
export type Call = { name: string; input: Record<string, unknown> }

const OLD = ['old_string', 'oldString', 'old_str', 'oldText']
const NEW = ['new_string', 'newString', 'new_str', 'newText']
const ALL = ['replace_all', 'replaceAll', 'allow_multiple']
const PATH = ['file_path', 'notebook_path', 'filePath', 'path']
const CONTENT = ['content', 'file_text']

/** The files that a call edits, as far as its words tell; none for a tool that edits none. */
export function editsOf({ name, input }: Call): Edit[] {
  const patch = patchIn(input)
  if (patch !== undefined) return patched(patch)
  const path = textIn(input, PATH)
  if (name === 'MultiEdit' || Array.isArray(input.edits)) return multiple(path, input.edits)
  if (path === undefined) return []
  if (name === 'Write') {
    const content = textIn(input, CONTENT)
    return content === undefined ? [] : [{ path, after: () => content }]
  }
  if (name === 'NotebookEdit') return [{ path, after: (text) => notebook(text, input) }]
  return name === 'Edit' ? [{ path, after: (text) => replaced(text, input) }] : []
}

/** Codex gives the patch as a command, or to a shell; others as a text of another name. */
function patchIn(input: Record<string, unknown>): string | undefined {
  const texts = [input.command, input.input, input.patchText, input.patch]
  return texts.find(
    (text): text is string => typeof text === 'string' && /^\*\*\* Begin Patch$/m.test(text),
  )
}

function multiple(path: string | undefined, edits: unknown): Edit[] {
  const all = (Array.isArray(edits) ? edits : []).map((edit) => Object(edit))
  const paths = new Set(all.map((edit) => textIn(edit, PATH) ?? path))
  return [...paths].flatMap((one) =>
    one === undefined
      ? []
      : {
          path: one,
          after: (text: string | undefined) =>
            all
              .filter((edit) => (textIn(edit, PATH) ?? path) === one)
              .reduce<string | undefined>(
                (now, edit, at) => (at > 0 && now === undefined ? undefined : replaced(now, edit)),
                text,
              ),
        },
  )
}

/** The text after a replacement; undefined where the old words are not there, or not only once. */
function replaced(text: string | undefined, input: Record<string, unknown>): string | undefined {
  const [old, now] = [textIn(input, OLD), textIn(input, NEW)]
  if (old === undefined || now === undefined) return undefined
  // Without old words a file is made, or an empty one filled.
  if (old === '') return text === undefined || text.trim() === '' ? now : undefined
  if (text === undefined) return undefined
  const [file, words] = found(text, plain(old))
  const parts = file.split(words)
  if (parts.length === 1) return undefined
  if (ALL.some((key) => input[key] === true)) return splitLike(text, file, words).join(plain(now))
  return parts.length === 2 ? splitLike(text, file, words).join(plain(now)) : undefined
}

/** The text and the words to look for in it. Claude Code takes a straight quote for a curly one. */
function found(text: string, old: string): [string, string] {
  const file = plain(text)
  return file.includes(old) ? [file, old] : [straight(file), straight(old)]
}

/** The parts of the text itself around the words that were found in its other form. */
function splitLike(text: string, file: string, words: string): string[] {
  const own = plain(text)
  let at = 0
  return file.split(words).map((part) => {
    const begin = at
    at += part.length + words.length
    return own.slice(begin, begin + part.length)
  })
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function straight(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"')
}

/** A notebook with one cell changed, as `notebookText` writes it. */
function notebook(text: string | undefined, input: Record<string, unknown>): string | undefined {
  const book = text === undefined ? undefined : notebookIn(text)
  const source = textIn(input, ['new_source'])
  if (!book) return undefined
  const at = book.cells.findIndex((cell, index) =>
    [cell.id, `cell-${index}`].includes(input.cell_id as string),
  )
  const cell = {
    ...(input.edit_mode === 'insert' ? {} : book.cells[at]),
    source: sourceLines(source),
  }
  if (input.edit_mode === 'insert') book.cells.splice(at + 1, 0, cell)
  else if (at < 0) return undefined
  else if (input.edit_mode === 'delete') book.cells.splice(at, 1)
  else book.cells[at] = cell
  return JSON.stringify(book, null, 1)
}

type Cell = { id?: unknown; source?: unknown }

function notebookIn(text: string): { cells: Cell[] } | undefined {
  try {
    const book: unknown = JSON.parse(text)
    const cells: unknown = Object(book).cells
    return Array.isArray(cells)
      ? { ...Object(book), cells: cells.map((cell) => ({ ...cell })) }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * A file's text as it is compared: a notebook in one form, with a line for each line of a cell,
 * whoever wrote it.
 */
export function comparable(path: string, text: string): string {
  const book = path.endsWith('.ipynb') ? notebookIn(text) : undefined
  if (!book) return text
  const cells = book.cells.map((cell) => ({ ...cell, source: sourceLines(cell.source) }))
  return JSON.stringify({ ...book, cells }, null, 1)
}

function sourceLines(source: unknown): string[] {
  const text = Array.isArray(source) ? source.join('') : String(source ?? '')
  return text.split(/(?<=\n)/)
}

function textIn(input: Record<string, unknown>, keys: string[]): string | undefined {
  const value = keys.map((key) => input[key]).find((one) => typeof one === 'string')
  return value as string | undefined
}
