/** An error of JSON-RPC: -32700 for what is no JSON, -32600 for what is no request. */
export type LineError = {
  jsonrpc: '2.0'
  id: string | number | null
  error: { code: number; message: string }
}

/** The answer to a line that nobody can read; undefined for one that may be a request, or is empty. */
export function rubbishAnswer(line: string): LineError | undefined {
  if (line.trim() === '') return undefined
  const value = jsonIn(line)
  if (value === undefined) return errorOf(null, -32700, 'Parse error: the line is not JSON')
  return Array.isArray(value)
    ? errorOf(null, -32600, 'a batch is not taken: send one request a line')
    : undefined
}

/** The answer to JSON that is no request; undefined where it is meant as an answer itself. */
export function refusedAnswer(line: string): LineError | undefined {
  const value = Object(jsonIn(line))
  if (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')) return undefined
  const { id } = value
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  return errorOf(isId ? id : null, -32600, 'the line is not a JSON-RPC 2.0 request')
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function errorOf(id: LineError['id'], code: number, message: string): LineError {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
