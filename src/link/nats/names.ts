/** The longest frame: a body whose every sign takes six in JSON, and its header. */
export const MAX_FRAME = 2 * 1024 * 1024

/** What stands where on the server of a team. Names of teams and machines have no dots. */
export function namesOf(team: string) {
  const upper = team.toUpperCase()
  return {
    stream: `AC_${upper}`,
    presenceStream: `KV_AC_${upper}_presence`,
    presence: (host: string) => `$KV.AC_${upper}_presence.${host}`,
    frame: (from: string, to: string, f: string) => `ac.${team}.from.${from}.to.${to}.${f}`,
    kept: `ac.${team}.kept`,
    answer: (from: string, to: string) => `ac.${team}.from.${from}.answers.${to}`,
  }
}

/** What sessions are, for tools of NATS. */
export const AGENT = 'agent-chat'

/** The subject of a session in the shape of the Synadia agent protocol. */
export function agentSubject(verb: 'prompt' | 'status' | 'hb', host: string, name: string): string {
  return `agents.${verb}.${AGENT}.${host}.${name}`
}

/** Where tools of NATS listen for answers, unless they are told otherwise. */
export const TOOLS_INBOX = '_INBOX'

/** Where a machine listens for answers; no other may write or read there. Without one, the admin. */
export function inboxOf(host: string | undefined): string {
  return host === undefined ? '_ADMIN_INBOX' : `_INBOX_${host}`
}

/** The machine that the server let write this: it is in the subject, at a set place. */
export function senderOf(subject: string): string {
  return subject.split('.')[3] ?? ''
}

/** Where a machine acknowledges the message `n` of the stream, the `nth` that it was given. */
export function ackSubject(team: string, host: string, n: number, nth: number): string {
  return `$JS.ACK.${namesOf(team).stream}.${host}.1.${n}.${nth}.0.0`
}

type User = { key: string; publish: string[]; subscribe: string[] }

/**
 * All that one machine may do: write as itself, and read what is for it. It may make no consumer:
 * the filter of one stands in the body of the request, which the server's permissions do not see.
 * It answers tools where they listen by default, and has no permission to answer in general: with
 * that, a machine that names another's subject for the answer to itself could write there.
 */
function userOf(team: string, host: string, key: string): User {
  const { stream, presence, frame, answer } = namesOf(team)
  return {
    key,
    publish: [
      frame(host, '*', 'msg'),
      frame(host, '*', 'rcpt'),
      answer(host, '*'),
      presence(host),
      `$JS.API.CONSUMER.INFO.${stream}.${host}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${host}`,
      `$JS.ACK.${stream}.${host}.>`,
      agentSubject('hb', host, '*'),
      `${TOOLS_INBOX}.>`,
    ],
    subscribe: [
      `${inboxOf(host)}.>`,
      answer('*', host),
      presence('*'),
      '$SRV.>',
      agentSubject('prompt', host, '*'),
      agentSubject('status', host, '*'),
    ],
  }
}

/** The file of users that the server's configuration includes. */
export function usersConf(team: string, admin: string, hosts: Record<string, string>): string {
  const quoted = (subjects: string[]) => `[${subjects.map((one) => `"${one}"`).join(', ')}]`
  const users = Object.entries(hosts).map(([host, key]) => {
    const { publish, subscribe } = userOf(team, host, key)
    return `  { nkey: ${key}, permissions: { # ${host}
    publish: { allow: ${quoted(publish)} }
    subscribe: { allow: ${quoted(subscribe)} } } }`
  })
  return `# written by: agent-chat bridge invite, revoke
users: [
  { nkey: ${admin} } # the admin's
${users.join('\n')}
]
`
}

/** The server's configuration, for a start; it is not written again, so it can be changed. */
export function serverConf(directory: string, port: number): string {
  const at = (name: string) => JSON.stringify(`${directory}/${name}`)
  return `# a nats-server (2.9 or newer) for one team of agent-chat; yours to change
port: ${port}
max_payload: ${MAX_FRAME}
pid_file: ${at('nats-server.pid')}
jetstream { store_dir: ${at('store')}, max_file_store: 2GB, max_memory_store: 64MB }
tls { cert_file: ${at('server.pem')}, key_file: ${at('server.key')} }
authorization { include users.conf }
`
}
