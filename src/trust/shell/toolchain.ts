import { wordList } from '../../system/wordList.ts'
import type { Operand } from './operand.ts'
import type { Scope } from './scope.ts'

/** Programs that say their version, and do nothing else then, wherever they are asked. */
const VERSIONS =
  /^((bash|clang|cmake|curl|deno|docker|gcc|gh|make|node|python|python3|rg|sqlite3|tmux|tsc|uv|zsh) --version|(node|tsc) -v|(python3?|tmux) -V|java -version)$/
const TOOLS = wordList(
  'bash cargo clang cmake curl deno docker gcc gh go java make node npm pip pip3 python python3 rg rustc rustup sqlite3 tmux tsc uv zsh',
)
/**
 * The same, where a file of the directory says which program it is: those are asked where the
 * session was started, and nowhere else.
 */
const formsHere = () => [
  /^(cargo|rustc|npm|rustup) (--version|-V)$/,
  /^npm -v$/,
  /^npm (ls|list)( -g| --global| --json| --all| --depth[= ]\d+| @?[a-z0-9][\w./-]*)*$/,
  /^npm (root|prefix)( -g)?$/,
  // rust-lang.github.io/rustup/basics.html; a plain `show` may install a toolchain.
  /^rustup (show (home|profile)|toolchain list( -v)?)$/,
  // doc.rust-lang.org/cargo/commands/cargo-locate-project.html
  /^cargo locate-project( --workspace)?( --message-format[= ](plain|json))?$/,
  // pip.pypa.io/en/stable/cli/pip_show: it asks no index, and looks at what is installed.
  /^pip3? show( -f| --files)?( [A-Za-z0-9][\w.-]*)+$/,
  /^cargo metadata( --no-deps| --format-version[= ]1| --offline)* --no-deps( --format-version[= ]1| --offline)*$/,
  /^go env( -json)?( [A-Z]\w*)*$/,
  /^go (version|doc( -all| -src| -short| -u)*( [\w][\w./-]*){1,2})$/,
]
/**
 * Files of a project by which such a tool is another one, is fetched first, or asks another server:
 * npm sends variables of the environment there.
 */
const obeyed = (): [RegExp, name: string, text: RegExp][] => [
  [/^npm$/, '.npmrc', /[^\0]/],
  [/^go$/, 'go.mod', /^\s*toolchain\s/m],
  [/^go$/, 'go.work', /^\s*toolchain\s/m],
  [/^pip3?$/, '.python-version', /[^\0]/],
  [/^(cargo|rustc|rustup)$/, 'rust-toolchain', /[^\0]/],
  [/^(cargo|rustc|rustup)$/, 'rust-toolchain.toml', /[^\0]/],
]

/** Variables by which such a program runs other code first. */
const loading = (): [RegExp, variable: string][] => [
  [/^(npm|tsc)$/, 'NODE_OPTIONS'],
  [/^pip3?$/, 'PYTHONPATH'],
  [/^pip3?$/, 'PYTHONHOME'],
]

/**
 * Whether a command is one of those that tell a fact about the tools of a project. Such are known
 * by their whole text.
 */
export function isFact(program: string, args: Operand[], { place, directories }: Scope): boolean {
  if (args.length === 0 || !TOOLS.has(program)) return false
  if (args.some(({ value }) => value === undefined || !/^[\w@./=-]+$/.test(value))) return false
  const text = [program, ...args.map(({ value }) => value)].join(' ')
  if (loading().some(([of, variable]) => of.test(program) && place.isSet(variable))) return false
  if (VERSIONS.test(text)) return true
  return (
    formsHere().some((form) => form.test(text)) &&
    directories.every((directory) => place.isRoot(directory)) &&
    !obeyed().some(([of, name, is]) => of.test(program) && place.finds(name, is))
  )
}
