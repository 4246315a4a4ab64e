import { execFileSync } from 'node:child_process'

/** A network of its own: what runs there is reached at `address`, while the way is not cut. */
export type Network = {
  address: string
  /** What a command line begins with, to run there. */
  exec: string[]
  cut: () => void
  mend: () => void
  stop: () => void
}

/** A namespace with a cable to this one; undefined without root, or without a kernel for it. */
export function network(): Network | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = `ac${process.pid}`
  const [here, there] = [`${name}h`, `${name}t`]
  const net = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
  const stop = () => {
    try {
      ip('netns', 'del', name)
    } catch {
      // It was not made.
    }
  }
  try {
    ip('netns', 'add', name)
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there)
    ip('link', 'set', there, 'netns', name)
    ip('addr', 'add', `${net}.1/24`, 'dev', here)
    ip('link', 'set', here, 'up')
    for (const one of [
      ['addr', 'add', `${net}.2/24`, 'dev', there],
      ['link', 'set', there, 'up'],
    ])
      ip('-n', name, ...one)
    ip('-n', name, 'link', 'set', 'lo', 'up')
  } catch {
    stop()
    return undefined
  }
  return {
    address: `${net}.2`,
    exec: ['ip', 'netns', 'exec', name],
    cut: () => ip('link', 'set', here, 'down'),
    mend: () => ip('link', 'set', here, 'up'),
    stop,
  }
}
