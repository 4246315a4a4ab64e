import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { type ApiRequest, hears, newText } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const HOSTILE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the client's, to see that it is left alone
  'it\'s "5$" $(touch PWNED) `touch PWNED` !`touch PWNED` ; touch PWNED \\n ${CLAUDE_PLUGIN_ROOT} $0 $ARGUMENTS'

test('/chat who, typed, brings the command with its arguments, and its agent-chat needs no permission', async () => {
  const world = await chatWorld((request) =>
    typedArguments(request) === 'who' ? 'agent-chat who' : undefined,
  )
  const pane = await world.startClaude({ name: 'backend' })
  await pane.submit('/chat who')
  const asked = await world.api.waitFor('/chat who', (request) => typedArguments(request) === 'who')
  expect(newText(asked)).toContain('Run the one `agent-chat` command')
  // The result of the call comes only where no permission dialog stands in the way.
  await world.api.waitFor('the list of sessions', (request) => hears(request, 'frontend'), {
    from: asked.index + 1,
  })
})

test('a plain /chat brings the text that makes the model explain it, and no other skill', async () => {
  const world = await chatWorld(() => undefined)
  const pane = await world.startClaude({ name: 'backend' })
  await pane.submit('/chat')
  const asked = await world.api.waitFor('/chat', (request) =>
    hears(request, '<command-name>/agent-chat:chat</'),
  )
  expect(typedArguments(asked)).toBeUndefined()
  expect(newText(asked)).toContain('run nothing: explain `/chat`')
})

test('/chat send delivers a message full of shell syntax as typed, and none of it runs', async () => {
  const world = await chatWorld((request) => {
    const message = typedArguments(request)?.replace('send @frontend ', '')
    return message === undefined
      ? undefined
      : `agent-chat send @frontend <<'MESSAGE'\n${message}\nMESSAGE`
  })
  const pane = await world.startClaude({ name: 'backend' })
  await pane.submit(`/chat send @frontend ${HOSTILE}`)
  await world.api.waitFor('the receipt', (request) =>
    /sent \S{5} to @frontend/.test(newText(request)),
  )
  const inbox = join(world.chat, 'inbox', 'frontend')
  const [file = ''] = (await readdir(inbox)).filter((name) => name.endsWith('.md'))
  expect((await readFile(join(inbox, file), 'utf8')).trimEnd().split('\n').at(-1)).toBe(HOSTILE)
  for (const folder of [world.cwd, world.home, ROOT])
    expect(existsSync(join(folder, 'PWNED'))).toBe(false)
})

test('the model is told of the messaging skill, and not of /chat', async () => {
  const world = await chatWorld(() => undefined)
  const client = await world.startHeadless({ name: 'backend' })
  client.prompt('hello')
  const asked = await world.api.waitFor('hello', (request) => hears(request, 'hello'))
  const offered = JSON.stringify(asked.messages).match(/- agent-chat:[a-z-]+(?=:)/g)
  // The other is the agent that the plugin brings.
  expect(offered).toEqual(['- agent-chat:chatter', '- agent-chat:agent-chat'])
})

test('the picker has /chat once, and the skill not at all', async () => {
  const world = await chatWorld(() => undefined)
  const pane = await world.startClaude({ name: 'backend' })
  await pane.waitFor(/❯/)
  await pane.type('/agent-chat')
  const screen = await pane.waitFor(/\/agent-chat:\S+ +\(agent-chat\)/)
  const listed = [...screen.matchAll(/(\/agent-chat:\S+) +\(/g)].map(([, word]) => word)
  expect(listed).toEqual(['/agent-chat:chat'])
})

/**
 * A world with this plugin, the session frontend, and a model that runs what `command` makes of a
 * request.
 */
async function chatWorld(command: (request: ApiRequest) => string | undefined) {
  const world = await worldForTest({
    pluginDir: ROOT,
    rule: (request) => {
      const line = command(request)
      return line === undefined
        ? { text: 'done' }
        : { tool: 'Bash', input: { command: line, description: 'agent-chat' } }
    },
  })
  const join = [`${ROOT}/dist/main.js`, 'join', 'frontend', '--no-watch']
  await promisify(execFile)(RUNTIME, join, { env: world.env, cwd: world.cwd })
  return world
}

function typedArguments(request: ApiRequest): string | undefined {
  return /<command-args>(.*)<\/command-args>/s.exec(newText(request))?.[1]
}
