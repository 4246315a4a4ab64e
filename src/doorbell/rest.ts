import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { marksOf } from '../bus/mail/marks.ts'
import type { Session } from '../bus/names/registry.ts'
import { nextRingAgain } from '../session/bellAgain.ts'
import { isProcessRef, traceOf } from '../system/processes.ts'
import { BREAK_NODE, spawnDetached } from '../system/spawn.ts'
import { terminalOf } from '../system/terminals.ts'

/**
 * The home's watcher: a shell, since a Node that has nothing to do holds 40 MB. `$1` and `$2` start
 * this program, `$3` is the home. The program rings until nothing is left to be rung for, and
 * prints what to look after until then: processes that may end, terminals that may go, sessions,
 * whose inbox or marks may change without a word, and the second at which to ring again. Whoever
 * rings a bell wakes it by SIGURG, which whoever does not know of it ignores.
 */
const REST = `
set -f
PATH=$PATH:/bin:/usr/bin
woken=0 nap= round=0
trap 'woken=1; [ -z "$nap" ] || kill "$nap" 2>/dev/null' URG
trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; exit' TERM
while :; do
  woken=0
  after=$("$1" "$2" watch @all --rest-of $$) || exit
  [ -n "$after" ] || exit 0
  while [ $woken = 0 ]; do
    sleep 5 & nap=$!
    [ $woken = 1 ] || wait $nap || [ $woken = 1 ] || exit
    kill $nap 2>/dev/null
    nap=
    round=$(( (round + 1) % 6 ))
    for one in $after; do
      case $one in
        at:*) [ "$(date +%s)" -lt "\${one#at:}" ] || woken=1 ;;
        /proc/*) read -r stat 2>/dev/null < "$one/stat" || stat=
          case \${stat##*) } in '' | [ZX]*) woken=1 ;; esac ;;
        /*) [ -e "$one" ] || woken=1 ;;
        [0-9]*) kill -0 "$one" 2>/dev/null || woken=1 ;;
        *) [ $round = 0 ] || continue
          for path in "$3/workers/@wanted.json" "$3/inbox/human" "$3/inbox/$one" "$3/state/$one.rings.json"; do
            [ "$path" -nt "$3/pids/@watcher.rest" ] && woken=1
          done ;;
      esac
    done
    [ -e "$3/pids/@watcher.rest" ] || woken=1
  done
done
`

/**
 * What is meant for the agent, or the test, that a command runs for, and not for a watcher of all
 * sessions.
 */
const NOT_ITS = [
  ...['AGENT_CHAT_DOORBELL', 'AGENT_CHAT_FAULT', 'AGENT_CHAT_NAME', 'AGENT_CHAT_PROMPT'],
  // It starts Node again and again, and a file that they name may go meanwhile.
  ...BREAK_NODE,
]

/** Starts the home's watcher, detached, and gives its pid. */
export function launchWatcher(
  { node, script }: { node: string; script: string },
  env: NodeJS.ProcessEnv,
  { root }: Pick<Home, 'root'>,
): number | undefined {
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => !NOT_ITS.includes(key)))
  const argv: [string, ...string[]] = ['/bin/sh', '-c', REST, 'agent-chat', node, script, root]
  return spawnDetached(argv, { ...own, AGENT_CHAT_HOME: root }, root)
}

/**
 * What `REST` is to look after for these sessions, and for rings of `all` after failed turns.
 * `paneProcess` gives the process that a pane
 * began with, where tmux tells.
 */
export async function lookAfter(
  sessions: Session[],
  all: Session[],
  bus: Bus,
  paneProcess: (session: Session) => Promise<number | undefined>,
): Promise<string[]> {
  const { home, processes } = bus
  const words = await Promise.all(
    sessions.map(async (session) => {
      const found = session.agent?.pid ?? (await paneProcess(session))
      // A pane that has gone since the last look is looked at again: a path that is never there.
      if (found === 0) return [session.name, `${home.pids}/@gone`]
      const pid = found ?? 0
      const waiters = Object.values(marksOf(home, session.name)).flatMap(({ waiter }) =>
        isProcessRef(waiter) && processes.isAlive(waiter) ? waiter.pid : [],
      )
      const traces = [pid, ...waiters].filter((one) => one > 0).map(traceOf)
      return [session.name, terminalOf(pid) ?? [], traces].flat()
    }),
  )
  const at = nextRingAgain(bus, all)
  return [...words.flat(), ...(at === undefined ? [] : [`at:${Math.ceil(at / 1000)}`])]
}
