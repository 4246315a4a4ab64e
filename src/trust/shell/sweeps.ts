import { wordText } from './nodes.ts'
import { parse } from './parse.ts'
import { Doubt, type Node, type Script } from './script.ts'

/**
 * A command that takes changes out of a working tree. `directories`: where it may run, as seen from
 * where the whole line begins. `paths`: what it takes them from, `all` for the tree around the
 * directory. `what`: every change, only files that git does not know, or the tree itself.
 */
export type Sweep = {
  text: string
  directories: string[]
  paths: string[] | 'all'
  what: 'changes' | 'untracked' | 'tree'
}

/** Words of a command; undefined for one that is only known when it runs. */
type Words = (string | undefined)[]

/** Programs that run the words behind their own options. */
const RUNS = /^(?:sudo|doas|env|command|exec|time|timeout|nohup|nice|xargs)$/
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh$/
/** Options of git before the subcommand that have a value. */
const GIT_VALUE = /^(?:-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/

/**
 * The commands of a line that take changes out of a working tree. A line that the reader of commands
 * does not understand is taken apart at its separators: it may do what is written there.
 */
export function sweepsIn(line: string): Sweep[] {
  let directories = ['.']
  const sweeps: Sweep[] = []
  for (const words of commandsIn(line)) {
    const [program, to] = words
    if (program === 'cd') directories = [...new Set([...directories, moved(directories, to)])]
    else sweeps.push(...sweepsOf(words, directories))
  }
  return sweeps
}

/** One directory more: the last one, with this step. */
function moved(directories: string[], to: string | undefined): string {
  const from = directories.at(-1) ?? '.'
  if (to === undefined) return from
  return to.startsWith('/') ? to : `${from}/${to}`
}

function commandsIn(line: string): Words[] {
  try {
    return simplesIn(parse(line))
  } catch (error) {
    if (!(error instanceof Doubt)) throw error
    const parts = line.split(/&&|\|\||[;|&\n(){}`]+/)
    return parts.map((part) =>
      part
        .trim()
        .split(/\s+/)
        .map((word) => word.replace(/^(['"])(.*)\1$/, '$2')),
    )
  }
}

function simplesIn({ items }: Script): Words[] {
  return items.flatMap(({ node }) => wordsIn(node))
}

function wordsIn(node: Node): Words[] {
  if (node.kind === 'simple') return [node.words.map((word) => wordText(word) || undefined)]
  if (node.kind === 'pipeline') return node.parts.flatMap(wordsIn)
  if (node.kind === 'if') return node.branches.flatMap(simplesIn)
  const first = node.kind === 'while' ? simplesIn(node.condition) : []
  return [...first, ...simplesIn(node.body)]
}

function sweepsOf(words: Words, directories: string[]): Sweep[] {
  const [program = '', ...args] = words
  if (SHELL.test(program)) {
    const code = args[args.findIndex((word) => /^-\w*c$/.test(word ?? '')) + 1]
    return args.length > 1 && code ? sweepsIn(code).map((one) => inside(one, directories)) : []
  }
  if (RUNS.test(program)) {
    const at = args.findIndex((word) => /^(?:git|rm)$/.test(word ?? '') || SHELL.test(word ?? ''))
    return at < 0 ? [] : sweepsOf(args.slice(at), directories)
  }
  const text = words.map((word) => word ?? '…').join(' ')
  if (/^(?:\/(?:usr\/)?bin\/)?rm$/.test(program)) {
    const paths = operandsOf(args)
    return [{ text, directories, paths: paths ?? 'all', what: 'changes' }]
  }
  return /^(?:\/usr\/bin\/)?git$/.test(program) ? gitSweep(args, directories, text) : []
}

function inside(sweep: Sweep, directories: string[]): Sweep {
  const both = directories.flatMap((from) => sweep.directories.map((to) => moved([from], to)))
  return { ...sweep, directories: both }
}

/** The words that are no options, all behind `--`; undefined where one is not known. */
function operandsOf(args: Words): string[] | undefined {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  const all = [
    ...before.filter((word) => !word?.startsWith('-')),
    ...(end < 0 ? [] : args.slice(end + 1)),
  ]
  return all.some((word) => word === undefined || /[*?[\]{}]|^:/.test(word))
    ? undefined
    : (all as string[])
}

function gitSweep(args: Words, from: string[], text: string): Sweep[] {
  let directories = from
  let at = 0
  for (; args[at]?.startsWith('-'); at += 1) {
    if (args[at] === '-C') directories = directories.map((one) => moved([one], args[at + 1]))
    if (args[at] === '-C' || GIT_VALUE.test(args[at] ?? '')) at += 1
  }
  const [name, ...words] = args.slice(at)
  const found = GIT[name ?? '']?.(words)
  return found === undefined ? [] : [{ text, directories, what: 'changes', ...found }]
}

type Found = { paths: Sweep['paths']; what?: Sweep['what'] } | undefined

const ALL: Found = { paths: 'all' }

/** What of a subcommand takes changes away; the options are git's own, as of 2.50. */
const GIT: Record<string, (args: Words) => Found> = {
  checkout: (args) => {
    if (has(args, /^-[bB]$|^--orphan$|^(?:-h|--help)$/)) return undefined
    const end = args.indexOf('--')
    const operands = operandsOf(args)
    if (end >= 0) return { paths: operandsOf(args.slice(end)) ?? 'all' }
    if (operands?.length === 0) return has(args, /^-f$|^--force$/) ? ALL : undefined
    // One word may be a branch or a path: either way the tree is changed under the others.
    return operands === undefined || (operands.length === 1 && operands[0] !== '.')
      ? ALL
      : { paths: operands }
  },
  restore: (args) =>
    has(args, /^(?:-S|--staged)$/) && !has(args, /^(?:-W|--worktree)$|^-\w*W/)
      ? undefined
      : { paths: operandsOf(args) ?? 'all' },
  reset: (args) => (has(args, /^--(?:hard|merge|keep)$/) ? ALL : undefined),
  clean: (args) =>
    has(args, /^-\w*n|^--dry-run$/) || !has(args, /^-\w*[fxXi]|^--(?:force|interactive)$/)
      ? undefined
      : { paths: emptyIsAll(operandsOf(without(args, /^(?:-e|--exclude)$/))), what: 'untracked' },
  stash: (args) => {
    const [verb] = args
    if (verb === undefined || verb.startsWith('-')) return ALL
    if (verb === 'save') return ALL
    return verb === 'push'
      ? { paths: emptyIsAll(operandsOf(without(args.slice(1), /^(?:-m|--message)$/))) }
      : undefined
  },
  switch: (args) =>
    has(args, /^-[cC]$|^--(?:create|force-create|orphan)$/) &&
    !has(args, /^-f$|^--(?:force|discard-changes)$/)
      ? undefined
      : ALL,
  worktree: (args) =>
    args[0] === 'remove' ? { paths: operandsOf(args.slice(1)) ?? 'all', what: 'tree' } : undefined,
  rm: (args) =>
    has(args, /^--cached$|^(?:-n|--dry-run)$/) ? undefined : { paths: operandsOf(args) ?? 'all' },
  'checkout-index': (args) => (has(args, /^-\w*f|^--force$/) ? ALL : undefined),
  'read-tree': (args) => (has(args, /^-u$/) ? ALL : undefined),
}

function has(args: Words, option: RegExp): boolean {
  return args.some((word) => word !== undefined && option.test(word))
}

function without(args: Words, option: RegExp): Words {
  const at = args.findIndex((word) => option.test(word ?? ''))
  return at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)]
}

function emptyIsAll(paths: string[] | undefined): Sweep['paths'] {
  return paths === undefined || paths.length === 0 ? 'all' : paths
}
