import { withoutChoices } from './choosing.ts'
import type { Script } from './file.ts'

/** Flags that stand alone in each of these programs: the next word is not their value. */
const FLAG = '(?:-q|-v|-vv|-x|--quiet|--verbose|--silent|--coverage|--no-fix|--no-cache|--color)'
const FLAGS = `(?: ${FLAG})*`
const NODE =
  '(?:vitest run|jest|mocha|playwright test|eslint|oxlint|stylelint|(?:vue-)?tsc --noEmit|prettier --check|biome (?:check|ci|lint))'
const PYTHON =
  '(?:pytest|ruff check|ruff format --check|mypy|flake8|pylint|pyright|black --check|isort --check(?:-only)?)'

/**
 * Programs and verbs that take files of the project, or names of tests, and only check them. No
 * other word of theirs is a verb, and none of these flags has a value.
 */
const CHECKS = new RegExp(
  `^(?:(?:npx |pnpm exec |yarn |bunx )?${NODE}|(?:python3? -m |uv run |poetry run )?${PYTHON}|` +
    `cargo (?:test|check|clippy|tree|nextest run)|node --test|bun test|(?:bundle exec )?rspec|rubocop|phpunit|shellcheck)${FLAGS}$`,
)
/** The same, where a word behind them would be a goal, a task or a project of its own. */
const ALONE =
  /^(?:(?:npx )?vitest|(?:mvn|dotnet|swift) test|cargo fmt (?:--all )?(?:-- )?--check|golangci-lint run)$/
const IS_FLAG = new RegExp(`^${FLAG}$`)
/** What loads any file that it is given: that has to be a test by its name, or a folder of tests. */
const LOADS = /(?:pytest|rspec|phpunit|mocha|node --test|bun test)(?: -|$)/
const TEST = /(?:^|[\W_])(?:tests?|specs?)(?:[\W_]|$)|(?:Test|Spec)s?\.\w+$/
const FOLDER = /(?:^|\/)(?:[^./]+|\.?)$/
/** To Go, a path that does not begin with `./` is code from elsewhere. */
const GO_CHECKS = new RegExp(`^go (?:test|vet|list)${FLAGS}$`)

/** Words that name a script. `pnpm add` is a verb, also where a script has that name. */
const NAMES_SCRIPT =
  /^(?:(?:npm|pnpm|yarn|bun) run [\w:.-]+|(?:npm|pnpm|yarn) (?:test|t|tst)|(?:pnpm|yarn) (?:lint|typecheck|test)(?::[\w:-]+)?)$/

/** What changes the files that it names, and no others: such operands are looked at as edits are. */
const CHANGES = /^(?:touch|mkdir|mkdir -p|git add)$/

/** A path, or a test in a file (`tests/a.py::test_it`); no option, no address, nothing to expand. */
const OPERAND = /^(?!.*(?:^|\/)\.\.(?:\/|$))[\w.][\w./+-]*(?:::[\w[\]-]+)*$/

/**
 * Whether operands may follow these words: they are a known check, or a script whose last command
 * is one, or they mark files for a commit. `all`: also behind what changes the files that are named.
 */
export function operandsFollow(
  words: readonly string[],
  script: Script | undefined,
  operands: readonly string[],
  { isInside, all = false }: { isInside: (path: string) => boolean; all?: boolean },
): boolean {
  if (script !== undefined && !NAMES_SCRIPT.test(words.join(' '))) return false
  const text = script === undefined ? words.join(' ') : lastCommand(script.text)
  const isGo = GO_CHECKS.test(text)
  const isCheck = isGo || CHECKS.test(text)
  const isChange = script === undefined && CHANGES.test(text) && (all || isMark(words))
  if (!isCheck && !isChange) return false
  return operands.every((word) => {
    const path = word.replace(/::.*|\/\.\.\.$/, '')
    // Of a folder, pytest loads what has the name of a test; the others may take it for a file.
    const isTest = TEST.test(path) || (/pytest/.test(text) && FOLDER.test(path))
    if (LOADS.test(text) && !isTest) return false
    const isHere = isCheck && /^\.\/*$/.test(path)
    return OPERAND.test(word) && (!isGo || word.startsWith('./')) && (isHere || isInside(path))
  })
}

/** Whether nothing but checks runs, also in what a script runs before and after it. */
export function onlyChecks(words: readonly string[], script: Script | undefined): boolean {
  if (script === undefined) return isCheck(words, script)
  const commands = [...script.around, script.text].flatMap((one) => one.split(BETWEEN))
  return commands.every((one) => isCheck(one.trim().split(/\s+/), undefined))
}

/** Whether these words only check, whatever operands, and options that choose, are among them. */
export function isCheck(words: readonly string[], script: Script | undefined): boolean {
  if (script !== undefined && script.text !== '') return true
  if (ALONE.test(words.join(' ')) || isMark(words)) return true
  const bare = bareCheck(words)
  return bare?.operands.every((word) => OPERAND.test(word)) === true
}

/** Whether these words mark files for a commit, and do no more. */
export function isMark(words: readonly string[]): boolean {
  return /^git add(?: [^-]|$)/.test(words.join(' '))
}

/** A known check with its operands, without flags and options that only choose. */
export function bareCheck(
  words: readonly string[],
): { check: string[]; operands: string[] } | undefined {
  const base = words.findIndex((_, at) => isKnown(words.slice(0, at + 1).join(' ')))
  if (base < 0) return undefined
  const check = words.slice(0, base + 1)
  const more = words.slice(base + 1).filter((word) => !IS_FLAG.test(word))
  const operands = withoutChoices(check.join(' '), more)
  return operands && { check, operands }
}

/** The same words, with the flags of a check before its operands: there they mean the same. */
export function flagsFirst(words: readonly string[]): readonly string[] {
  const base = words.findIndex((_, at) => isKnown(words.slice(0, at + 1).join(' ')))
  const rest = base < 0 ? [] : words.slice(base + 1)
  const isFlag = (word: string) => IS_FLAG.test(word)
  if (rest.some((word) => word.startsWith('-') && !isFlag(word))) return words
  const others = rest.filter((word) => !isFlag(word))
  return [...words.slice(0, words.length - rest.length), ...rest.filter(isFlag).sort(), ...others]
}

function isKnown(text: string): boolean {
  return CHECKS.test(text) || GO_CHECKS.test(text)
}

const BETWEEN = /&&|\|\||[;|&\n]/

/** A script's words go to the last of its commands. `\\;` and `>&` only look like an end of one. */
function lastCommand(text: string): string {
  if (/\\|>[|&]/.test(text)) return ''
  const last = text.split(BETWEEN).at(-1) ?? ''
  return last.trim().replace(/\s+/g, ' ')
}
