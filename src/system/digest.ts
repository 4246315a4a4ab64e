/** The SHA-256 of some bytes, in hex. Only who needs it pays for loading `node:crypto`. */
export function digestOf(bytes: Buffer): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(bytes).digest('hex')
}
