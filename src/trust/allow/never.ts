import { basename } from 'node:path'
import { wordList } from '../../system/wordList.ts'

/** Shells, and programs that run what they are given, elsewhere or as somebody else. */
const RUNNERS = wordList(
  'annotate-output ash at autossh awk bash batch busybox bwrap caffeinate capsh catchsegv cgexec chpst chronic chrt cmd cmd.exe concurrently cpulimit cross-env-shell crontab csh daemonize dash dbus-launch dbus-run-session doas dumb-init eatmydata ed elvish emacs entr env ex expect faketime fakeroot firejail fish flock gawk gdb gosu hush hyperfine ionice ksh linux32 linux64 lksh ltrace mawk mksh mosh nice nodemon nohup nsenter nu numactl oksh onchange osascript osh parallel pdksh perf pkexec powershell prlimit proot proxychains proxychains4 pwsh rbash rksh rlwrap run-parts run0 runuser rzsh screen script sed setarch setpriv setsid sh socat softlimit ssh ssh-agent sshpass start-stop-daemon stdbuf strace su su-exec sudo sudoedit systemd-run taskset tcsh time timeout tini tmux torsocks toybox trickle unbuffer unshare valgrind vi vim watch watchexec winpty wsl wsl.exe xargs xonsh xterm xvfb-run yash zsh chroot',
)
/** What changes the shell that runs the rest of the line. */
const OF_THE_SHELL = wordList(
  '. : alias bind break builtin cd command continue coproc declare disown enable eval exec exit export fc fg function getopts hash jobs let local logout mapfile nocorrect noglob popd pushd read readonly repeat return select set setopt shift shopt source suspend trap typeset ulimit umask unalias unset until wait case bg',
)
const INTERPRETERS =
  /^(?:node|nodejs|deno|bun|python|pypy|perl|ruby|php|lua|luajit|Rscript|R|julia|groovy|scala|tclsh|jshell|ts-node|tsx|zx|vite-node|jiti|esno|ipython|bpython|irb|pry|ghci?|elixir|iex|erl|kotlin|cljs?|clojure|racket|guile|sbcl|octave|gnuplot|sqlite3|psql|mysql|mongo|mongosh)[\d.]*$/
const CODE =
  /^(?:-(?![IW])[A-Za-z]*[ceEpPrRS].*|-|--(?:eval|print|import|require|loader|experimental-loader|execute|command|call|code|run)(?:=.*)?|eval|repl)$/
/** Programs that run others, in a place of their own. */
const FORWARDS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|uvx?|poetry|pipenv|pipx|pdm|pixi|rye|hatch|conda|bundle|docker|podman|kubectl|nix|nix-shell|devbox|mise|rtx|asdf|pyenv|rbenv|nvm|fnm|volta|direnv|dotenv|cross-env|corepack|git)$/
/** These options give code to programs that fetch and run others. */
const FETCHERS = /^(?:npx|npm|pnpm|yarn|bunx|pnpx)$/

/**
 * Why nobody may allow these words beforehand, or undefined: with them, anything could be run, or
 * what follows on the line would be another thing.
 */
export function whyNever(words: readonly string[]): string | undefined {
  const [typed = '', ...args] = words
  const program = basename(typed)
  if (program === '' || typed.startsWith('-') || typed.includes('=')) return 'that is no command'
  if (program === 'agent-chat') return "agent-chat's own commands have rules of their own"
  if (RUNNERS.has(program)) return `${program} can run anything`
  if (OF_THE_SHELL.has(program)) return `${program} changes the shell itself`
  if (args.some((word) => word.includes('*'))) return 'a pattern could be anything'
  if (FORWARDS.test(program) && args.some((_, at) => forwardsCode(args.slice(at))))
    return `${program} would run code that it is given`
  const isInterpreter = INTERPRETERS.test(program)
  // `-m pytest` names a module; behind it, the words are that module's.
  const isModule = args[0] === '-m' && args.length > 1
  const own = isModule ? [] : untilOperand(args)
  if (isInterpreter && (args.length === 0 || own.some(isCode)))
    return `${program} would run code that it is given`
  if (FETCHERS.test(program) && args.some((word) => /^(-c|--call|-c=.*|--call=.*)$/.test(word)))
    return `${program} would run code that it is given`
  return undefined
}

function forwardsCode([word = '', ...args]: readonly string[]): boolean {
  const program = basename(word)
  return (
    /^(?:(?:[bcdkz]|da|fi)?sh|bash|env|sudo|xargs|eval|busybox|foreach|concurrently|nodemon|onchange|--run)$/.test(
      program,
    ) ||
    /=!/.test(word) ||
    (INTERPRETERS.test(program) && args[0] !== '-m' && untilOperand(args).some(isCode))
  )
}

const isCode = (word: string) => CODE.test(word)

/** An interpreter's own options, up to the file that it runs. */
function untilOperand(args: readonly string[]): readonly string[] {
  const at = args.findIndex((word) => !word.startsWith('-'))
  return at < 0 ? args : args.slice(0, at + 1)
}
