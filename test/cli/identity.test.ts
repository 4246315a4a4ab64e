import { execFile } from 'node:child_process'
import { copyFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { agentsOn, startAgent } from '../../src/testing/agent.ts'
import { cleanEnv, DIST } from '../../src/testing/cli.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'

/** The short name of a process is that of its file. */
const NAMED = leftOut(process.platform !== 'linux' && 'the shell of this system cannot be copied')

/**
 * Runs a line in a shell that is called `claude`, which waits for it. With a daemon, in one that
 * another `claude` has started.
 */
async function below(
  bus: { home: { root: string } },
  line: string,
  env: Record<string, string>,
  above: 'nothing' | 'a daemon' = 'nothing',
) {
  const claude = join(tempDirectory(), 'claude')
  copyFileSync(realpathSync('/bin/sh'), claude)
  const text = `${line.replaceAll('agent-chat', `"${RUNTIME}" "${join(DIST, 'main.js')}"`)}; exit $?`
  const daemon = ['-c', '"$1" -c "$2"; exit $?', 'daemon', claude, text]
  const options = { env: { ...cleanEnv({ home: bus.home.root }), ...env } }
  try {
    const argv = above === 'nothing' ? ['-c', text] : daemon
    return { code: 0, ...(await promisify(execFile)(claude, argv, options)) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

const LINES = [
  'whoami',
  'send @frontend hello',
  'inbox',
  'inbox backend',
  'send @frontend x --as backend',
]

test(
  'a Claude Code with an inherited name is nobody: no mail is read, nothing is sent',
  NAMED,
  async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend] = agents
    sendMessage(bus, { from: 'frontend', to: 'backend', kind: 'note', body: 'SECRET' })
    const other = String(startAgent(bus).ref.pid)
    const worlds: [string, Record<string, string>][] = [
      ['backend', { CLAUDE_PID: other }],
      ['backend', { CLAUDE_PID: String(backend?.ref.pid) }],
      ['backend', {}],
    ]
    const tried = async (above?: 'a daemon') => {
      for (const [name, env] of worlds)
        for (const line of LINES) {
          const given = { AGENT_CHAT_NAME: name, ...env }
          const said = await below(bus, `agent-chat ${line}`, given, above)
          expect({ line, code: said.code, stdout: said.stdout }).toEqual({
            line,
            code: 6,
            stdout: '',
          })
          expect(said.stderr).toMatch(
            /^agent-chat: AGENT_CHAT_NAME=backend is not used: claude \(process \d+\) runs this, not @backend\nagent-chat: not inside a session\n {2}hint: [^\n]+\n$/,
          )
        }
    }
    await tried()
    // Also once nobody has that name any more, below a daemon that outlived its first session.
    await backend?.chat('leave')
    await backend?.end()
    await tried('a daemon')
    expect(filesIn(bus.home.inbox('backend'))).toHaveLength(1)
    expect(eventsOf(bus.home, 'sent')).toHaveLength(1)
    // It can be somebody by a name of its own.
    const own = 'export CLAUDE_PID=$$; agent-chat join carol --no-watch && agent-chat whoami'
    expect(await below(bus, own, { AGENT_CHAT_NAME: 'backend' })).toMatchObject({
      code: 0,
      stdout: 'joined as @carol\n@carol (by the agent that runs this)\n',
    })
  },
)

test('a registry that cannot be read contradicts nobody', NAMED, async () => {
  const bus = tempBus(['backend'])
  writeFileSync(bus.home.sessions, 'broken')
  expect(await below(bus, 'agent-chat whoami', { AGENT_CHAT_NAME: 'backend' })).toMatchObject({
    code: 0,
    stdout: '@backend (by AGENT_CHAT_NAME, not confirmed)\n',
  })
})
