import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import {
  listWatches,
  removeWatches,
  runWatcher,
  startWatch,
  type WatchFileOptions,
  watchJson,
} from '../../chat/watchFile/start.ts'
import { CodedError } from '../../errors.ts'
import { visibleLine } from '../../message/visible.ts'
import { type FileWatch, isWatched } from '../../session/fileWatches.ts'
import { addCommand } from '../command.ts'
import { withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'

type Flags = {
  notify?: string
  from?: string
  foreground?: boolean
  list?: boolean
  remove?: boolean | string
  watcher?: string
  json?: boolean
}

export function watchFileCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'watch-file',
    'agent-chat watch-file docs/api.yaml --notify @frontend\nagent-chat watch-file --list\nagent-chat watch-file --remove docs/api.yaml',
  )
  withSpeaker(command, ports)
    .argument('[path]', 'the file')
    .option('--notify <name>', 'the session to notify, as @name')
    .option('--foreground', 'watch in the foreground, until Ctrl-C')
    .option('--list', 'list the watched files')
    .option('--remove [path]', 'stop watching it; with --notify, only for that session')
    .addOption(
      program.createOption('--watcher <key>', 'the request to the background process').hideHelp(),
    )
    .action((path: string | undefined, flags: Flags) => act(path, flags, ports))
}

const REMOVE_HINT =
  'agent-chat watch-file --remove <path>; list the watched files with: agent-chat watch-file --list'

async function act(path: string | undefined, flags: Flags, ports: Ports): Promise<void> {
  const file = typeof flags.remove === 'string' ? flags.remove : path
  if (flags.list && flags.remove !== undefined)
    throw usage(
      '--list and --remove exclude each other',
      'list the watched files with: agent-chat watch-file --list',
    )
  if (flags.watcher !== undefined) await runWatcher(flags.watcher, ports)
  else if (flags.list) ports.print(listText(flags, ports))
  else if (file === undefined)
    throw usage(
      'missing file',
      flags.remove ? REMOVE_HINT : 'agent-chat watch-file docs/api.yaml --notify @name',
    )
  else if (flags.remove !== undefined) ports.print(await removedText(file, flags, ports))
  else if (flags.notify === undefined)
    throw usage('--notify @name is required', `agent-chat watch-file ${file} --notify @name`)
  else ports.print(await startedText({ ...flags, path: file, notify: flags.notify }, flags, ports))
}

async function startedText(
  options: WatchFileOptions,
  { json }: Flags,
  ports: Ports,
): Promise<string> {
  const { watch, already } = await startWatch(options, ports)
  if (json) return `${JSON.stringify(watchJson(watch, ports))}\n`
  if (options.foreground && !already) return ''
  const word = already ? 'already watching' : 'watching'
  return `${word} ${visibleLine(watch.path)}: a note goes to @${watch.notify} when it has changed\n`
}

function listText({ json }: Flags, ports: Ports): string {
  const watches = listWatches(ports)
  if (json)
    return `${JSON.stringify({ watches: watches.map((watch) => watchJson(watch, ports)) })}\n`
  if (watches.length === 0) return 'no file is watched\n'
  const now = ports.bus().clock.now()
  const rows = watches.map((watch) => [
    watch.path,
    `@${watch.notify}`,
    `@${watch.from}`,
    stateOf(watch, ports),
    watch.last === null ? '-' : ago(watch.last.at, now),
  ])
  return table(['file', 'tells', 'from', 'state', 'last note'], rows)
}

function stateOf(watch: FileWatch, ports: Pick<Ports, 'bus'>): string {
  if (!isWatched(ports.bus(), watch)) return 'dead: its process has ended'
  return existsSync(watch.path) ? 'watched' : 'watched, not there'
}

async function removedText(path: string, { notify, json }: Flags, ports: Ports): Promise<string> {
  const removed = await removeWatches(path, notify, ports)
  if (json)
    return `${JSON.stringify({ removed: removed.map((watch) => watchJson(watch, ports)) })}\n`
  const names = removed.map((watch) => `@${watch.notify}`).join(', ')
  return `${visibleLine(removed[0]?.path ?? path)} is no longer watched for ${names}\n`
}

function usage(what: string, hint: string): CodedError {
  return new CodedError('USAGE', what, { hint })
}
