import { expect, test } from 'vitest'
import { type ClientRequest, clientArgv } from './start.ts'

const REQUEST: ClientRequest = {
  program: '/bin/claude',
  name: 'coder',
  self: { node: '/data/agent-chat', script: '/plugin/dist/main.js', root: '/plugin' },
  cwd: '/',
  home: '/home',
  tools: ['Read'],
  prompt: 'Answer.',
  conversation: 'x',
  resume: false,
}

/** The servers that the client is given, and whether it reads those of the person. */
function serversOf(...tools: string[]) {
  const argv = clientArgv({ ...REQUEST, tools })
  const at = argv.indexOf('--mcp-config')
  return {
    given: at < 0 ? undefined : JSON.parse(argv[at + 1] ?? ''),
    strict: argv.includes('--strict-mcp-config'),
  }
}

test('our server is run by what runs the worker: where there is no Node, by the native program', () => {
  const server = { command: '/data/agent-chat', args: ['/plugin/dist/main.js', 'mcp'] }
  const given = { mcpServers: { 'agent-chat': server } }
  expect(serversOf('Read', 'mcp__agent-chat__send')).toEqual({ given, strict: true })
  expect(serversOf('mcp__agent-chat')).toEqual({ given, strict: true })
  expect(serversOf('mcp__agent-chat', 'mcp__notes')).toEqual({ given, strict: false })
  expect(serversOf('Read')).toEqual({ given: undefined, strict: true })
})
