import type { Command } from 'commander'
import { runAnnounce } from '../../chat/announce.ts'
import { watchWholeHome } from '../../chat/watch/home.ts'
import { watchSession } from '../../chat/watch/session.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type WatchFlags = { doorbell?: string; announce?: string; restOf?: string; json?: boolean }

export function watchCommand(program: Command, ports: Ports): void {
  addCommand(program, 'watch', 'agent-chat watch frontend --doorbell stdout')
    .argument('<name>', 'the session')
    .argument('[tmux-pane]', 'the pane to type into (default: that of the session)')
    .option('--doorbell <doorbell>', 'auto, native, tmux or stdout')
    .addOption(
      program
        .createOption('--announce <id>', 'notify the human of one message, then exit')
        .hideHelp(),
    )
    .addOption(
      program.createOption('--rest-of <pid>', 'ring for every session of the home').hideHelp(),
    )
    .action(
      async (
        name: string,
        pane: string | undefined,
        { announce, restOf, ...options }: WatchFlags,
      ) => {
        if (announce !== undefined) return runAnnounce(announce, ports)
        if (restOf !== undefined) return printRest(Number(restOf), ports)
        const ended = await watchSession(
          { ...options, name, ...(pane === undefined ? {} : { pane }) },
          { ...ports, show: (line) => ports.print(`${line}\n`) },
        )
        if (options.json) ports.talk(`${JSON.stringify(ended)}\n`)
        else ports.notice(`the watcher of @${ended.name} ends: ${ended.reason}`)
      },
    )
}

/** The resting shell reads one line: the files that it looks after. */
async function printRest(pid: number, ports: Ports): Promise<void> {
  const { lineKeeper } = await import('../../feed/line.ts')
  const files = await watchWholeHome(pid, ports, lineKeeper(ports))
  if (files) ports.print(`${files.join(' ')}\n`)
}
