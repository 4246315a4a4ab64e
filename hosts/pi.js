// The extension of agent-chat for pi. `agent-chat setup --agent pi` puts it among pi's own. It asks
// the hooks of agent-chat about what happens, does what they answer, and rings the session's bell.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const ENTRY = '@ROOT@/bin/agent-chat'

/** Runs the entry; one that is missing or damaged ends with 7, and never with a ring's 2. */
const GUARD = '/bin/sh -n "$0" && . "$0"; exit 7'

/** Runs one hook and gives its exit code and what it printed. */
function ask(word, payload) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', GUARD, ENTRY, '--hook', word, 'pi'])
    const said = { code: null, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text
      })
    child.on('error', () => resolve(said))
    child.on('close', (code) => resolve({ ...said, code }))
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(payload))
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

// biome-ignore lint/style/noDefaultExport: pi takes an extension from the default export
export default function agentChat(pi) {
  // A session has its name from its start: any other pi is left alone.
  if (!process.env.AGENT_CHAT_NAME) return
  let fact = ''
  let bell
  let prompts = 0

  const base = (ctx) => ({ cwd: ctx.cwd, session_id: ctx.sessionManager.getSessionId?.() })
  /** A hook that may ring: its line is sent as a prompt, behind the turn that is under way. */
  const ring = async (word, payload) => {
    const { code, stderr } = await ask(word, payload)
    if (code === 2) pi.sendUserMessage(stderr.trim(), { deliverAs: 'followUp' })
  }

  pi.on('session_start', async ({ reason }, ctx) => {
    const { context, watchPaths = [] } = await told('session-start', {
      ...base(ctx),
      source: reason,
    })
    fact = context ?? ''
    bell?.close()
    const [path] = watchPaths
    if (!path) return
    bell = watch(path, (_, name) => {
      if (name === 'ring') void ring('bell', { ...base(ctx), file_path: join(path, name) })
    })
    bell.unref()
    void ring('start-ring', base(ctx))
  })
  pi.on('session_shutdown', () => bell?.close())

  pi.on('before_agent_start', async ({ prompt, systemPrompt }, ctx) => {
    prompts += 1
    const payload = { ...base(ctx), prompt, prompt_id: `${process.pid}.${prompts}` }
    const { context, human } = await told('user-prompt-submit', payload)
    if (human) ctx.ui.notify(human, 'info')
    return { systemPrompt: [systemPrompt, fact, context].filter(Boolean).join('\n\n') }
  })
  pi.on('agent_end', async (_, ctx) => {
    await ask('stop', base(ctx))
    void ring('stop-ring', base(ctx))
  })

  const callOf = ({ toolName, toolCallId, input }, ctx) => ({
    ...{ ...base(ctx), tool_name: toolName, tool_use_id: toolCallId, tool_input: input },
  })
  pi.on('tool_call', async (event, ctx) => {
    const call = callOf(event, ctx)
    const said = await ask('pre-tool-use', call)
    if (said.code !== 0) return { block: true, reason: unjudged(said) }
    const { decision, reason } = parsed(said.stdout)
    if (decision === 'deny' || (decision === 'ask' && !ctx.hasUI)) return { block: true, reason }
    if (decision !== 'ask') return
    await ask('permission-request', call)
    if (await ctx.ui.confirm('agent-chat', reason)) return
    return { block: true, reason: 'the user said no' }
  })
  pi.on('tool_result', async (event, ctx) => {
    await ask('post-tool-use', callOf(event, ctx))
  })
}
