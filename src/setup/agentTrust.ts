import { dirname } from 'node:path'
import { reasonOf } from '../system/errno.ts'
import { startLineChild } from '../system/lineChild.ts'

/** The agent's program, and its file of hooks. */
export type TrustPlace = { program: string; env: NodeJS.ProcessEnv; hooks: string }

/** What the agent's settings say of hooks that are trusted: a key and its hash. */
export type Trust = Record<string, string>

type Listed = { key: string; command?: string; currentHash: string; trustStatus: string }

/** How long the agent's server may take. In milliseconds. */
const ANSWER_MS = 15_000

/**
 * Has the agent trust our hooks, and no others, once `agree` says so. Gives what its settings say of
 * them then, or why that cannot be.
 */
export async function trustHooks(
  place: TrustPlace,
  isOurs: (command: string) => boolean,
  agree: () => Promise<boolean>,
): Promise<{ agreed: boolean; trust: Trust } | string> {
  const server = startServer(place)
  try {
    const clientInfo = { name: 'agent-chat', title: 'agent-chat', version: '1' }
    await server.call('initialize', { clientInfo, capabilities: { experimentalApi: true } })
    const list = async () => {
      const found = await server.call('hooks/list', { cwds: [dirname(place.hooks)] })
      const { data } = found as { data: { hooks: Listed[] }[] }
      return (data[0]?.hooks ?? []).filter(({ command }) => isOurs(command ?? ''))
    }
    const hooks = await list()
    if (hooks.length === 0) return 'it does not know the hooks of agent-chat'
    const trust = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, currentHash]))
    const open = hooks.filter(({ trustStatus }) => trustStatus !== 'trusted')
    if (open.length === 0) return { agreed: true, trust }
    if (!(await agree())) return { agreed: false, trust }
    const edits = open.map(({ key, currentHash }) => ({
      keyPath: `hooks.state.${JSON.stringify(key)}.trusted_hash`,
      ...{ value: currentHash, mergeStrategy: 'upsert' },
    }))
    await server.call('config/batchWrite', { edits, reloadUserConfig: true })
    const agreed = (await list()).every(({ trustStatus }) => trustStatus === 'trusted')
    return { agreed, trust }
  } catch (error) {
    return `its server did not answer: ${reasonOf(error)}`
  } finally {
    await server.close()
  }
}

/** A server of the agent's that is spoken to on its standard input. It opens no port. */
function startServer({ program, env, hooks }: TrustPlace) {
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (why: Error) => void }
  >()
  const child = startLineChild([program, 'app-server'], {
    ...{ env, cwd: dirname(hooks) },
    onLine: (line) => {
      const { id, result, error } = parse(line)
      const one = waiting.get(Number(id))
      if (error) one?.reject(new Error(String(Object(error).message)))
      else one?.resolve(result)
    },
  })
  let last = 0
  return {
    call: (method: string, params: object) =>
      new Promise<unknown>((resolve, reject) => {
        last += 1
        const late = setTimeout(() => reject(new Error('it took too long')), ANSWER_MS)
        waiting.set(last, {
          resolve: (value) => {
            clearTimeout(late)
            resolve(value)
          },
          reject,
        })
        void child.ended.then(() => reject(new Error('it has ended')))
        child.send(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }))
        if (method === 'initialize')
          child.send(JSON.stringify({ jsonrpc: '2.0', method: 'initialized' }))
      }),
    close: () => {
      child.closeInput()
      return child.ended
    },
  }
}

function parse(line: string): { id?: unknown; result?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** Whether the settings say of each of these hooks that it is trusted as it is. */
export function isTrusted(settings: string | null, trust: Trust): boolean {
  const hashes = Object.values(trust)
  return hashes.length > 0 && hashes.every((hash) => settings?.includes(`"${hash}"`))
}

/** The settings without what they say of our hooks. */
export function withoutTrust(settings: string | null, trust: Trust): string | null {
  if (settings === null) return null
  return Object.entries(trust).reduce((text, [key, hash]) => {
    const lines = `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`
    return text.replace(`\n${lines}`, '').replace(lines, '')
  }, settings)
}
