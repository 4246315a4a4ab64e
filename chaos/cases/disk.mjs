import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preloading } from '../../scripts/runtime.mjs'
import { changeEverything, readEverything } from '../everything.mjs'
import { works } from '../process.mjs'
import { stepsOf } from '../steps.mjs'

const NO_LINKS = preloading(fileURLToPath(new URL('../no-links.cjs', import.meta.url)))

/** Room for so many more blocks, or names, is left: from none at all to more than one command needs. */
const LEFT = 14

/** @returns {import('../lab.mjs').Case[]} */
export function diskCases() {
  return [
    {
      name: 'disk full, after each block',
      promise: 'sent whole, or refused with the reason; all goes on once there is room',
      mounts: true,
      run: (lab, counts) => whileFull(lab, counts, 'size=512k', fillBlocks),
    },
    {
      name: 'no inodes left, after each name',
      promise: 'sent whole, or refused with the reason; all goes on once there is room',
      mounts: true,
      run: (lab, counts) => whileFull(lab, counts, 'size=4m,nr_inodes=120', fillNames),
    },
    {
      name: 'home on a read-only disk',
      promise: 'what reads works; what writes says why not',
      mounts: true,
      run: readOnly,
    },
    {
      name: 'home on a disk without hard links',
      promise:
        'messages are copied; the rest is as ever, kills at each step of send and inbox included',
      again: true,
      mounts: true,
      needs: () =>
        linkless() === undefined ? 'no FAT or exFAT can be made and mounted here' : undefined,
      run: async (lab, counts) => {
        const { make, mount } = linkless() ?? { make: '', mount: [] }
        const [image, disk] = [join(lab.directory, 'image'), join(lab.directory, 'disk')]
        mkdirSync(disk)
        execFileSync('truncate', ['-s', '16M', image])
        execFileSync(make, [image], { stdio: 'ignore' })
        const device = execFileSync('losetup', ['--show', '-f', image], { encoding: 'utf8' }).trim()
        try {
          execFileSync(mount[0] ?? '', [...mount.slice(1), device, disk], { stdio: 'ignore' })
          await withoutLinks(lab, counts, (step) => ({ home: join(disk, step.replace(':', '-')) }))
          execFileSync('umount', [disk])
        } finally {
          execFileSync('losetup', ['-d', device])
        }
      },
    },
    {
      name: 'link(2) refused',
      promise: 'the same, on a disk that has all else',
      again: true,
      run: (lab, counts) => withoutLinks(lab, counts, () => ({ env: NO_LINKS })),
    },
  ]
}

/**
 * @param {import('../lab.mjs').Lab} lab
 * @param {string} options
 */
function smallDisk(lab, options) {
  const disk = join(lab.directory, 'disk')
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk])
  return { disk, unmount: () => execFileSync('umount', ['-l', disk]) }
}

/**
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 * @param {string} options
 * @param {(disk: string, left: number) => string} fill gives the path of what has filled it
 */
async function whileFull(lab, counts, options, fill) {
  for (let left = 0; left < LEFT; left += 1) {
    counts.runs += 1
    const { disk, unmount } = smallDisk(lab, options)
    const world = lab.world({ home: join(disk, 'home') })
    await world.open()
    await world.fine('before', world.send())
    const filled = fill(disk, left)
    await changeEverything(world)
    rmSync(filled, { recursive: true })
    const when = `with room for ${left} more`
    await world.goOn(when)
    await lab.finish(world, counts, when)
    unmount()
  }
}

/** @param {string} disk @param {number} left */
function fillBlocks(disk, left) {
  const path = join(disk, 'filling')
  const fd = openSync(path, 'w')
  const { bsize } = statfsSync(disk)
  const block = Buffer.alloc(bsize)
  while (statfsSync(disk).bfree > left) writeSync(fd, block)
  closeSync(fd)
  return path
}

/** @param {string} disk @param {number} left */
function fillNames(disk, left) {
  const path = join(disk, 'filling')
  mkdirSync(path)
  for (let made = 0; statfsSync(disk).ffree > left; made += 1)
    writeFileSync(join(path, String(made)), '')
  return path
}

/** @type {import('../lab.mjs').Case['run']} */
async function readOnly(lab, counts) {
  const { disk, unmount } = smallDisk(lab, 'size=4m')
  const world = lab.world({ home: join(disk, 'home') })
  counts.runs += 1
  await world.open()
  for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
  execFileSync('mount', ['-o', 'remount,ro', disk])
  await changeEverything(world)
  for (const { args, code, stderr } of await readEverything(world))
    if (code !== 0)
      world.wrong.push(`${args.join(' ')} only reads, and ended with ${code}: ${stderr}`)
  execFileSync('mount', ['-o', 'remount,rw', disk])
  await world.goOn('writable again')
  await lab.finish(world, counts, 'writable again')
  unmount()
}

/**
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 * @param {(step: string) => Partial<Parameters<typeof import('../world.mjs').makeWorld>[1]>} options
 */
async function withoutLinks(lab, counts, options) {
  const steps = stepsOf()
  for (const step of ['none', ...(steps.get('send') ?? []), ...(steps.get('inbox') ?? [])]) {
    counts.runs += 1
    const world = lab.world(options(step))
    await world.open()
    for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
    if (step !== 'none')
      await (step.startsWith('send') ? world.send({ fault: step }) : world.read({ fault: step }))
    else await changeEverything(world)
    await world.goOn(`killed at ${step}`)
    await lab.finish(world, counts, `killed at ${step}`)
  }
}

/** How a disk without hard links is made and mounted here: command lines to which the image or the device, and the place, are added. */
function linkless() {
  const programs = readdirSync('/sbin').concat(readdirSync('/usr/sbin'))
  const kernel = (/** @type {string} */ type) => works('grep', '-qw', type, '/proc/filesystems')
  if (process.getuid?.() !== 0 || !programs.includes('losetup')) return undefined
  for (const type of ['vfat', 'exfat'])
    if (programs.includes(`mkfs.${type}`) && kernel(type))
      return { make: `mkfs.${type}`, mount: ['mount', '-o', 'umask=077'] }
  if (!programs.includes('mkfs.exfat') || !programs.includes('mount.exfat-fuse')) return undefined
  return { make: 'mkfs.exfat', mount: ['mount.exfat-fuse', '-o', 'umask=077'] }
}
