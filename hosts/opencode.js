// The plugin of agent-chat for OpenCode, and for Kilo Code, which is made from it. `agent-chat setup
// --agent opencode` puts it among OpenCode's own. It asks the hooks of agent-chat about what happens,
// does what they answer, and rings the session's bell.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const ENTRY = '@ROOT@/bin/agent-chat'
const AGENT = '@AGENT@'

/** The registry knows a session a moment after its agent has started. In milliseconds. */
const REGISTERED_MS = 500
const TRIES = 10

/** Runs the entry; one that is missing or damaged ends with 7, and never with a ring's 2. */
const GUARD = '/bin/sh -n "$0" && . "$0"; exit 7'

/** Runs one hook and gives its exit code and what it printed. */
function ask(word, payload) {
  return run('/bin/sh', ['-c', GUARD, ENTRY, '--hook', word, AGENT], JSON.stringify(payload))
}

function run(program, args, input = '') {
  return new Promise((resolve) => {
    const child = spawn(program, args)
    const said = { code: null, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text
      })
    child.on('error', () => resolve(said))
    child.on('close', (code) => resolve({ ...said, code }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** Why a call that no hook could judge does not run. */
function unjudged({ stderr }) {
  return `agent-chat: its hook did not run, so nobody knows whose turn this is. Tell your user to run in a terminal: agent-chat doctor. ${stderr.trim()}`
}

/** What a hook says, apart from a ring. */
async function told(word, payload) {
  return parsed((await ask(word, payload)).stdout)
}

function parsed(stdout) {
  try {
    return JSON.parse(stdout)
  } catch {
    return {}
  }
}

// OpenCode may call the plugin more than once in a process: there is one bell, and one conversation
// that had the last prompt.
let bell
let heard
let current
let used = {}
let fact = ''
let news = ''
const parents = new Map()

export const AgentChat = async ({ client, directory }) => {
  if (!process.env.AGENT_CHAT_NAME) return {}

  /** The conversation that has started this one, a subagent's. */
  const parentOf = async (id) => {
    if (id && !parents.has(id)) {
      const { data } = await client.session.get({ path: { id } })
      parents.set(id, data?.parentID)
    }
    return parents.get(id)
  }
  const base = async (id) => {
    const parent = await parentOf(id)
    return { cwd: directory, session_id: parent ?? id, ...(parent ? { agent_id: id } : {}) }
  }

  /** Sends a ring's line as a prompt, in a conversation that is begun where there is none yet. */
  const send = async (text) => {
    current ??= await resumed(client)
    if (!current) {
      const { data } = await client.session.create({ body: {} })
      current = data.id
      const properties = { sessionID: current }
      await client.tui.publish({ body: { type: 'tui.session.select', properties } })
    }
    const parts = [{ type: 'text', text }]
    await client.session.promptAsync({ path: { id: current }, body: { ...used, parts } })
  }
  /** A hook that may ring; whether it did. */
  const ring = async (word, payload) => {
    const { code, stderr } = await ask(word, payload)
    if (code === 2) await send(stderr.trim())
    return code === 2
  }

  /** Says that the session is here, and listens to its bell; `source` says since when. */
  const begin = async (source) => {
    const payload = { ...(await base(current)), source }
    const { context, watchPaths = [] } = await told('session-start', payload)
    const [path] = watchPaths
    if (!path || path === heard) return path
    fact = context ?? ''
    heard = path
    bell?.close()
    bell = watch(path, (_, name) => {
      if (name === 'ring') void rang(join(path, name))
    })
    bell.unref?.()
    void ring('start-ring', await base(current))
    return path
  }
  const rang = async (file_path) => {
    // A session that was renamed has another bell.
    if (!(await ring('bell', { ...(await base(current)), file_path }))) await begin('compact')
  }
  const start = async (tries) => {
    if (!(await begin('startup')) && tries > 1) setTimeout(start, REGISTERED_MS, tries - 1).unref()
  }
  if (bell === undefined) {
    bell = null
    void start(TRIES)
  }

  const asked = async ({ sessionID }) => ask('permission-request', await base(sessionID))
  const answered = async ({ sessionID }) => ask('post-tool-use', await base(sessionID))
  const events = {
    'session.created': async ({ info }) => {
      parents.set(info.id, info.parentID)
      if (info.parentID) await ask('subagent-start', await base(info.id))
    },
    'session.idle': async ({ sessionID }) => {
      if (sessionID !== current) return
      // How many were unread at the start is no news any more.
      fact = fact.replace(/\. .*/s, '.')
      await ask('stop', await base(sessionID))
      await ring('stop-ring', await base(sessionID))
    },
    'permission.asked': asked,
    'permission.replied': answered,
    'question.asked': asked,
    'question.replied': answered,
    'question.rejected': answered,
  }
  return {
    event: async ({ event }) => {
      await events[event.type]?.(event.properties)
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (await parentOf(sessionID)) return
      current = sessionID
      // A ring's turn has the agent and the model of the prompt before it.
      used = { agent: message.agent, model: message.model }
      const words = parts.flatMap(({ text, synthetic }) => (text && !synthetic ? [text] : []))
      const prompt = { prompt: words.join('\n'), prompt_id: message.id }
      const { context } = await told('user-prompt-submit', {
        ...(await base(sessionID)),
        ...prompt,
      })
      news = context ?? ''
    },
    'experimental.chat.system.transform': async (_, { system }) => {
      system.push(...[fact, news].filter(Boolean))
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const call = { tool_name: tool, tool_use_id: callID, tool_input: args }
      const said = await ask('pre-tool-use', { ...(await base(sessionID)), ...call })
      if (said.code !== 0) throw new Error(unjudged(said))
      const { decision, reason } = parsed(said.stdout)
      if (decision === 'deny' || decision === 'ask') throw new Error(reason)
    },
    'tool.execute.after': async ({ tool, sessionID, callID }) => {
      await ask('post-tool-use', {
        ...(await base(sessionID)),
        tool_name: tool,
        tool_use_id: callID,
      })
    },
  }
}

/** The conversation that this OpenCode was started with, if its command line says so. */
async function resumed(client) {
  const ps = await run('ps', ['-ww', '-o', 'args=', '-p', String(process.pid)])
  const [, named] = / (?:-s|--session)[ =](ses_\w+)/.exec(ps.stdout) ?? []
  if (named || !/ (-c|--continue)( |$)/m.test(ps.stdout)) return named
  const { data = [] } = await client.session.list()
  const own = data.filter(({ parentID }) => !parentID)
  return own.sort((a, b) => b.time.updated - a.time.updated)[0]?.id
}
