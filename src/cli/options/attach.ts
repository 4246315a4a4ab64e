/** The option by which a sender names files, as commander takes it. */
export const ATTACH = [
  '--attach <path>',
  'name a file by its path, size and hash; may be given again',
  (path: string, all: string[] = []) => [...all, path],
] as const

export type AttachFlags = { attach?: string[] }
