import type { Command } from 'commander'

/** A command of this program, with its options, before its own are added: what every verb starts from. */
export function addCommand(program: Command, name: string, summary: string, example: string): Command {
  return program
    .command(name)
    .description(summary)
    .option('--json', 'print data as JSON')
    .addHelpText('after', `\nExample:\n  ${example.replaceAll('\n', '\n  ')}`)
}
