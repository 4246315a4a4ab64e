// Which tools a version of Claude Code has, and which of them the table of tools lacks. A tool that is new
// asks in a message's turn until somebody has looked at it: `npm run bump-claude` fails on one.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** So many definitions of tools are in a program at least; fewer, and they are written in another way. */
const LEAST = 40

/**
 * Names of types in `sdk-tools.d.ts` that are not those of their tools.
 * @type {Record<string, string | undefined>}
 */
const TYPES = { FileRead: 'Read', FileEdit: 'Edit', FileWrite: 'Write', Mcp: undefined }

/**
 * The tools that `sdk-tools.d.ts` has types for.
 * @param {string} types
 * @returns {string[]}
 */
export function toolsInTypes(types) {
  const [, union = ''] = /type ToolInputSchemas =([^;]*);/.exec(types) ?? []
  const names = [...union.matchAll(/\b(\w+)Input\b/g)].map(([, name = '']) => name)
  return names.flatMap((name) => (Object.hasOwn(TYPES, name) ? (TYPES[name] ?? []) : name))
}

/**
 * The tools that the program defines: each with the names that it may have, since a program that was made
 * small gives one variable's name to several.
 * @param {string} program
 * @returns {string[][]}
 */
export function toolsInProgram(program) {
  const values = new Map()
  for (const [, key, value] of program.matchAll(
    /[ ,;]([A-Za-z0-9_$]{2,5})="([A-Z][A-Za-z]{2,40})"/g,
  ))
    values.set(key, new Set([...(values.get(key) ?? []), value]))
  const found = program.matchAll(/\bname:(?:"([A-Z]\w+)"|([A-Za-z0-9_$]{2,5})),/g)
  return [...found]
    .filter(({ index }) => program.slice(index, index + 1500).includes('maxResultSizeChars'))
    .map(([, name, key]) => (name ? [name] : [...(values.get(key) ?? [])]))
}

/**
 * The tools that the table lacks. Throws where the definitions cannot be found any more.
 * @param {{ types: string, program: string, table: string }} texts
 * @returns {string[]}
 */
export function newTools({ types, program, table }) {
  const known = new Set(table.match(/\b[A-Z]\w+/g))
  const isKnown = (/** @type {string} */ name) => known.has(name) || known.has(`${name}Tool`)
  const defined = toolsInProgram(program)
  const typed = toolsInTypes(types)
  if (defined.filter((names) => names.some(isKnown)).length < LEAST || typed.length < LEAST)
    throw new Error('the tools of this version cannot be read: look at how it defines them')
  const others = defined.filter((names) => names.length > 0 && !names.some(isKnown))
  return [
    ...new Set([...typed.filter((name) => !isKnown(name)), ...others.map((one) => one.join('|'))]),
  ]
}

/** @param {string} folder of the package */
export function newToolsIn(folder) {
  const table = fileURLToPath(new URL('../src/trust/toolGate/table.ts', import.meta.url))
  return newTools({
    types: readFileSync(`${folder}/sdk-tools.d.ts`, 'utf8'),
    program: readFileSync(`${folder}/bin/claude.exe`, 'latin1'),
    table: readFileSync(table, 'utf8'),
  })
}
