/** The option by which a sender names files, as commander takes it. */
export const ATTACH = [
  '--attach <path>',
  'attach a file: its path, size and hash; may be repeated',
  (path: string, all: string[] = []) => [...all, path],
] as const

export type AttachFlags = { attach?: string[] }
