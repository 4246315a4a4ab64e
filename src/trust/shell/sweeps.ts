import { ANY, commandsIn } from './commands.ts'
import { EVERY, gitSweeps, type Sweep, type Taken } from './gitSweeps.ts'

/** Programs that run the words behind their own options. */
const RUNS =
  /^(?:sudo|doas|env|command|builtin|exec|time|timeout|nohup|nice|ionice|setsid|stdbuf|flock|busybox)$/
/** Those that put more words behind them, which they read. */
const READS_WORDS = /^(?:xargs|parallel)$/
const SHELL = /^(?:ba|z|da|k|a)?sh$/
const REMOVES = /^(?:rm|unlink|shred)$/
const RUN = /^(?:git|find|patch|eval)$/

/**
 * The commands of a line that take changes out of a working tree, as far as they are written there.
 * What a variable or a script of its own does is not seen.
 */
export function sweepsIn(line: string): Sweep[] {
  let directories = ['.']
  const sweeps: Sweep[] = []
  for (const { words, input, next } of commandsIn(line)) {
    const [program, to = ''] = words
    if (program === 'cd' || program === 'pushd') {
      const inside = moved(directories, to)
      // Behind `&&` nothing runs where it was.
      directories = next === '&&' ? inside : [...new Set([...directories, ...inside])]
    } else sweeps.push(...sweepsOf(words, input, directories))
  }
  return sweeps
}

function moved(directories: string[], to: string): string[] {
  if (to.startsWith('/')) return [to]
  return directories.map((from) => (from === '.' ? to : `${from}/${to}`))
}

function sweepsOf(words: string[], input: string | undefined, directories: string[]): Sweep[] {
  const [path = '', ...args] = words
  const program = path.replace(/^.*\//, '')
  const text = words.join(' ').replaceAll(ANY, '…')
  const one = (taken: Taken) => [{ text, directories, ...taken }]
  if (SHELL.test(program) || program === 'eval') {
    const code = program === 'eval' ? args.join(' ') : codeFor(args, input)
    return sweepsIn(code).map((sweep) => ({
      ...sweep,
      directories: sweep.directories.flatMap((to) => moved(directories, to)),
    }))
  }
  if (RUNS.test(program)) return sweepsOf(programIn(args), input, directories)
  if (READS_WORDS.test(program))
    return sweepsOf(programIn(args), input, directories).map((sweep) => ({
      ...sweep,
      paths: 'all',
    }))
  if (REMOVES.test(program)) return one({ paths: operandsOf(args), kinds: EVERY })
  if (program === 'find') return found(args).flatMap(one)
  if (program === 'patch') return reversed(args).flatMap(one)
  if (program !== 'git') return []
  const each = args.indexOf('foreach')
  if (each < 1 || args[each - 1] !== 'submodule') return gitSweeps(args, { text, directories })
  // It runs in every submodule, wherever that is.
  const code = args.slice(each + 1).filter((word, at) => at > 0 || !word.startsWith('--'))
  return sweepsIn(code.join(' ')).flatMap(({ kinds }) => one({ paths: ['.'], kinds }))
}

/** What a shell is given to run: behind `-c`, or to read. */
function codeFor(args: string[], input = ''): string {
  const at = args.findIndex((word) => /^-\w*c$/.test(word))
  if (at >= 0) return args[at + 1] ?? ''
  return args.every((word) => word.startsWith('-')) ? input : ''
}

/** Another program's words, from the program in them on. */
function programIn(args: string[]): string[] {
  const at = args.findIndex((word) => {
    const name = word.replace(/^.*\//, '')
    return [RUNS, READS_WORDS, SHELL, REMOVES, RUN].some((names) => names.test(name))
  })
  return at < 0 ? [] : args.slice(at)
}

/** The words that are no options, and all behind `--`. */
function operandsOf(args: string[]): string[] {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  return [...before.filter((word) => !/^-./.test(word)), ...(end < 0 ? [] : args.slice(end + 1))]
}

/** What `find` removes, or has removed: what has one of its names, where it looks. */
function found(args: string[]): Taken[] {
  const from = args.findIndex((word) => !/^-(?:[HLP]|O\d?|D)$/.test(word))
  const tests = args.findIndex((word, at) => at >= from && /^[-(!]/.test(word))
  const roots = from < 0 || tests <= from ? ['.'] : args.slice(from, tests)
  const runs = args.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word))
  const run = runs < 0 ? [] : sweepsOf(args.slice(runs + 1), undefined, ['.'])
  if (!args.includes('-delete') && run.length === 0) return []
  const isPlain = !args.some((word) => /^(?:-o|-or|!|-not|,)$/.test(word))
  if (isPlain && args.includes('-empty')) return []
  const name = isPlain ? args[args.findIndex((word) => /^-i?name$/.test(word)) + 1] : undefined
  const isNamed = name !== undefined && args.some((word) => /^-name$/.test(word))
  const paths = roots.map((root) => (isNamed ? `${root}/${ANY}${name}` : root))
  return [{ paths, kinds: args.includes('-delete') ? EVERY : (run[0]?.kinds ?? EVERY) }]
}

/** What `patch -R` takes back. */
function reversed(args: string[]): Taken[] {
  const isBack = args.some((word) => /^-\w*R|^--rev/.test(word)) && !args.includes('--dry-run')
  return isBack ? [{ paths: 'all', kinds: EVERY }] : []
}
