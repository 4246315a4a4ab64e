import type { Command } from 'commander'

/**
 * A command of this program, with its options, before its own are added: what every verb starts from. The first of the examples is kept with
 * it, for the hint of bad usage; a line that ends in a backslash goes on in the next.
 */
export function addCommand(program: Command, name: string, summary: string, example: string): Command {
  const command = program
    .command(name)
    .description(summary)
    .option('--json', 'print data as JSON')
    .addHelpText('after', `\nExample:\n  ${example.replaceAll('\n', '\n  ')}`)
  return Object.assign(command, { example: example.replaceAll(/ \\\n\s*/g, ' ').split('\n')[0] })
}
