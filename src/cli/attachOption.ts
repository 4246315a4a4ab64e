import type { Message } from '../message/message.ts'
import type { Ports } from './ports.ts'

/** The option by which a sender names files, as commander takes it. */
export const ATTACH = [
  '--attach <path>',
  'name a file by its path, size and hash; may be given again',
  (path: string, all: string[] = []) => [...all, path],
] as const

export type AttachFlags = { attach?: string[] }

/** The header field for the files that were named. Throws as `attach`, which is loaded only where there are some. */
export async function attached({ attach: paths }: AttachFlags, ports: Pick<Ports, 'cwd'>): Promise<Message['extra']> {
  if (paths === undefined || paths.length === 0) return {}
  const { attach } = await import('./attach.ts')
  return attach(paths, ports.cwd)
}
