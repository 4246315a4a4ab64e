import { needPlain } from './files.ts'
import { type Operand, UNKNOWN } from './operand.ts'
import { exactly } from './options.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'

/** Commands of sqlite3's own that only tell what is there. */
const TELLS = /^\.(tables|schema|indexes|databases)( +[\w%]+)?$/

/**
 * What a query may hold that does more than read, or goes on without an end; also as a name in quotes.
 * `edit(…)` runs a program.
 */
const MORE =
  /\b(with|load_extension|writefile|readfile|fsdir|zipfile|fts3_tokenizer|generate_series)\b|\bedit\b["'`\]\s]*\(|--|\/\*/i

/**
 * sqlite3: queries that select, in its safe mode and of a file that it may not write. In any other mode a
 * view in the file may run a program, whoever the file is from, and one that is missing is created: but
 * not where there is no folder for it.
 */
export function judgeSqlite(args: Operand[], scope: Scope): void {
  const [file, ...queries] = exactly(
    /^-(readonly|safe|batch|bail|header|noheader|column|line|csv|json|list|table|box|markdown|quote)$/,
    /(?!)/,
    args,
  )
  const path = file?.value?.replace(/^file:([^%?#]*)\?mode=ro$/, '$1')
  if (path === undefined || /[%?#:]|^$/.test(path)) doubt('a database whose name is not plain')
  const options = args.slice(0, args.indexOf(file as Operand)).map(({ value }) => value)
  const isSafe = options.includes('-safe') && options.includes('-readonly')
  if (!isSafe && scope.place.isNowhere?.(dirname(path)) !== true)
    doubt('sqlite3 without -safe and -readonly')
  needPlain([{ ...UNKNOWN, value: path, start: path }], scope)
  if (queries.length === 0) doubt('sqlite3 without a query')
  for (const { value = '', many } of queries)
    if (many || !onlyReads(value)) doubt('a query that may do more than read')
}

/** The folder of a path; of a name alone, the one where the command is, which is there. */
function dirname(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function onlyReads(query: string): boolean {
  if (TELLS.test(query)) return true
  if (MORE.test(query)) return false
  // What is in quotes is no word of it, and no end of one.
  const bare = query.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '')
  if (/['"`[]/.test(bare)) return false
  const statements = bare.split(';').filter((one) => one.trim() !== '')
  return statements.length > 0 && statements.every((one) => /^\s*select\b/i.test(one))
}
