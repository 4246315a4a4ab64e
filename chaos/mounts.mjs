import { works } from './process.mjs'

/** What starts a program where it may mount disks of its own, as root or, where the system lets others, as anybody. */
export function unshared() {
  return ['unshare', process.getuid?.() === 0 ? '-m' : '-rm']
}

/** Why no disk can be mounted here; undefined where one can. */
export function mountsWhy() {
  const [program = '', ...args] = unshared()
  if (works(program, ...args, 'mount', '-t', 'tmpfs', 'none', '/mnt')) return undefined
  return 'no disk can be mounted here (unshare -m)'
}
