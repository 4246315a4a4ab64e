import type { Command } from 'commander'
import type { Ports } from '../ports.ts'

/**
 * Adds `--as`, which says who speaks. The action finds the name under the option's earlier name,
 * which goes on working and tells what it is called now.
 */
export function withSpeaker(
  command: Command,
  ports: Pick<Ports, 'notice'>,
  former: 'from' | 'name' = 'from',
): Command {
  return command
    .option('--as <name>', 'act as this session, or as human')
    .addOption(command.createOption(`--${former} <name>`).hideHelp())
    .on('option:as', (name: string) => command.setOptionValue(former, name))
    .on(`option:${former}`, () => ports.notice(`--${former} is now called --as`))
}
