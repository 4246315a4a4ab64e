/**
 * Names that a shell keeps to itself: bash ends where one of them is set, and the agent's own shell
 * sets it anew.
 */
const KEPT = new Set(['_', 'BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * What a launcher's pane begins with: a shell, since a Node that waits holds tens of megabytes. It
 * ends with its terminal, or when it is asked to: only then does the system tell the others in the
 * terminal of that. `$1` and `$2` start this program, `$3` is the session's name, `$4` the
 * handover; `$5` and `$6` are the two below.
 */
const STAND = `
trap : INT QUIT
/bin/sh -c "$5" agent-chat "$1" "$2" "$3" "$4" "$6"
exit $?
`

/**
 * What waits for the agent: it outlives what the terminal tells it (Ctrl-C, its end), and then has
 * the program tell how that ended. The handover is there while nobody may take the pane for one
 * whose session has left. No shell above could bring back an agent that Ctrl-Z has stopped: this
 * one does, at once. It calls itself for that, since bash leaves a loop whose command is stopped.
 * Without its terminal, dash ends by itself and tells the 2 of its own error.
 */
const WAIT_FOR_AGENT = `
trap : HUP INT QUIT
ended() {
  trap - EXIT
  code=$5
  [ $code != 2 ] || true 2>/dev/null </dev/tty || code=129
  umask 077
  true 2>/dev/null >"$4"
  "$1" "$2" "@$3" --handover "$4" --ended $code </dev/null >/dev/null 2>&1 &
  wait $!
  exit $code
}
trap 'ended "$1" "$2" "$3" "$4" $?' EXIT
go_on() {
  kill -0 %1 2>/dev/null || exit $code
  fg %1 >/dev/null
  code=$?
  go_on "$@"
}
set -m
/bin/sh -c "$5" agent-chat "$1" "$2" "$3" "$4"
code=$?
go_on "$@"
`

/**
 * The process that becomes the agent: the program registers it, and prints its environment and its
 * arguments, which this shell takes as they are and never reads as a part of a script. Each line is
 * an item: `E` a variable, `U` one that is not set, `A` an argument; `+` goes on with the item
 * before.
 */
const BECOME_AGENT = `
_ac_plan=$("$1" "$2" "@$3" --handover "$4" --become $$) || exit
_ac_newline='
'
set --
while IFS= read -r _ac_line; do
  case $_ac_line in
    +*) _ac_item=$_ac_item$_ac_newline\${_ac_line#?}; continue ;;
  esac
  case $_ac_item in
    E*) export "\${_ac_item#?}" ;;
    U*) unset "\${_ac_item#?}" ;;
    A*) set -- "$@" "\${_ac_item#?}" ;;
  esac
  _ac_item=$_ac_line
done <<END
$_ac_plan
END
unset _ac_plan _ac_newline _ac_line _ac_item
exec "$@"
`

/** The command line of a launcher's pane. */
export function paneArgv(
  { node, script, home }: { node: string; script: string; home: string },
  name: string,
  handover: string,
): string[] {
  // A tmux server that runs already gives a new pane its own environment, not the caller's: this
  // tells the home.
  const start = ['env', `AGENT_CHAT_HOME=${home}`, '/bin/sh', '-c', STAND, 'agent-chat']
  return [...start, node, script, name, handover, WAIT_FOR_AGENT, BECOME_AGENT]
}

/**
 * What `BECOME_AGENT` reads: how the agent's environment differs from the pane's, and its
 * arguments. Variables whose names no shell can set are left out.
 */
export function becomePlan(argv: string[], env: NodeJS.ProcessEnv, panes: NodeJS.ProcessEnv) {
  const names = [...new Set([...Object.keys(env), ...Object.keys(panes)])]
  const variables = names
    .filter((name) => NAME.test(name) && !KEPT.has(name) && env[name] !== panes[name])
    .map((name) => (env[name] === undefined ? `U${name}` : `E${name}=${env[name]}`))
  const items = [...variables, ...argv.map((arg) => `A${arg}`)]
  return `${items.map((item) => item.replaceAll('\n', '\n+')).join('\n')}\n.\n`
}
