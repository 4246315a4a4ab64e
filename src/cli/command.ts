import type { Command } from 'commander'

/**
 * A command of this program, with its options, before its own are added: what every verb starts from. The first line of the examples is kept with
 * it, for the hint of bad usage.
 */
export function addCommand(program: Command, name: string, summary: string, example: string): Command {
  const command = program
    .command(name)
    .description(summary)
    .option('--json', 'print data as JSON')
    .addHelpText('after', `\nExample:\n  ${example.replaceAll('\n', '\n  ')}`)
  return Object.assign(command, { example: example.split('\n')[0] })
}
