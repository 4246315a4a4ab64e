// An MCP server over stdio with one tool that reads and one that writes: `notesServer.mjs READY`. It makes that file once
// a client knows its tools.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const inputSchema = { type: 'object', properties: { file: { type: 'string' } } }
/** @type {Record<string, (input: { file: string }) => string>} */
const TOOLS = {
  get_note: () => 'a note',
  write_note: ({ file }) => {
    writeFileSync(file, 'x\n')
    return 'written'
  },
}

/** @type {Record<string, (params: any) => unknown>} */
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema })),
  }),
  'tools/call': ({ name, arguments: input }) => ({
    content: [{ type: 'text', text: TOOLS[name]?.(input) }],
  }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = ANSWERS[method]
  const outcome = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `no ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
  if (method === 'tools/list') writeFileSync(process.argv[2] ?? '', '')
})
