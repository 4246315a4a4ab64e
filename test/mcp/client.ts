import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import type { Home } from '../../src/bus/home.ts'
import { cleanEnv, DIST } from '../../src/testing/cli.ts'

export const ERAS = ['2025-11-25', '2026-07-28'] as const

/** The data of an answer. */
export type Data = Record<string, unknown> & { success: boolean }

/** A host with its server. `call` gives an answer's data; `id` is the host's own id of the call. */
export type Host = {
  client: Client
  pid: () => number
  call: (tool: string, given?: Record<string, unknown>, id?: string) => Promise<Data>
  close: () => Promise<void>
}

type HostOptions = {
  era?: (typeof ERAS)[number]
  env?: Record<string, string>
  /** What the person answers where they are asked; without it, the host cannot ask. */
  says?: 'yes' | 'no'
}

/** Starts the built server as `name`, as a host does. It ends with the test. */
export async function host(
  home: Home,
  name: string | undefined,
  { era = '2025-11-25', env = {}, says }: HostOptions = {},
): Promise<Host> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: says === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  )
  if (says !== undefined)
    client.setRequestHandler('elicitation/create', async () =>
      says === 'yes' ? { action: 'accept', content: { yes: true } } : { action: 'decline' },
    )
  const own = name === undefined ? {} : { AGENT_CHAT_NAME: name }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(DIST, 'main.js'), 'mcp'],
    env: cleanEnv({ home: home.root, env: { ...own, ...env } }),
    stderr: 'pipe',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    pid: () => transport.pid ?? 0,
    call: async (tool, given = {}, id) => {
      const meta = id === undefined ? {} : { _meta: { 'claudecode/toolUseId': id } }
      const { structuredContent } = await client.callTool(
        { name: tool, arguments: given, ...meta },
        { timeout: 20_000 },
      )
      return structuredContent as Data
    },
    close: () => client.close(),
  }
}

/** Ends a server as a crash would. */
export function kill(pid: number): void {
  execFileSync('kill', ['-9', String(pid)])
}
