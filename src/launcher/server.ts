import type { AgentStart } from '../agents/agent.ts'

/**
 * Starts a server, waits until it listens on the socket `$1`, and becomes the agent. The server's
 * command line is the first `$2` of the other arguments, and the agent's what follows. The agent
 * alone holds the pipe open that the server's guard reads: however the agent ends, also by
 * `kill -9`, the server ends with it.
 */
const BESIDE = `
_ac_socket=$1 _ac_count=$2
shift 2
rm -f "$_ac_socket.pipe"
mkfifo "$_ac_socket.pipe" || exit
(
  _ac_at=0 _ac_all=$#
  while [ $_ac_at -lt $_ac_all ]; do
    [ $_ac_at -ge $_ac_count ] || set -- "$@" "$1"
    shift
    _ac_at=$((_ac_at + 1))
  done
  exec "$@" </dev/null >"$_ac_socket.log" 2>&1
) & _ac_server=$!
shift "$_ac_count"
(
  trap : HUP INT QUIT TERM
  exec </dev/null >/dev/null 2>&1
  read -r _ac_line <"$_ac_socket.pipe"
  kill "$_ac_server"
  rm -f "$_ac_socket" "$_ac_socket.log" "$_ac_socket.pipe"
) &
exec 9>"$_ac_socket.pipe"
_ac_tries=0
while [ ! -S "$_ac_socket" ]; do
  _ac_tries=$((_ac_tries + 1))
  if [ $_ac_tries -gt 200 ] || ! kill -0 "$_ac_server" 2>/dev/null; then
    cat "$_ac_socket.log" >&2
    echo "agent-chat: the server of this agent did not start" >&2
    exit 1
  fi
  sleep 0.05
done
exec "$@"
`

/** The command line of an agent with a server of its own beside it. */
export function besideArgv(
  { socket, argv }: NonNullable<AgentStart['server']>,
  agent: [string, ...string[]],
): [string, ...string[]] {
  return ['sh', '-c', BESIDE, 'agent-chat', socket, String(argv.length), ...argv, ...agent]
}
