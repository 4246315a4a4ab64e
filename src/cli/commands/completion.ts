import type { Command } from 'commander'
import { CodedError } from '../../errors.ts'
import { SHELLS, type Shell } from '../../setup/completion.ts'
import { addCommand } from '../command.ts'
import { completionWords, WORD_KINDS, type WordKind } from '../completion/words.ts'
import type { Ports } from '../ports.ts'

export function completionCommand(program: Command, ports: Ports, run = runCompletion): void {
  addCommand(
    program,
    'completion',
    'the script with which a shell completes commands, flags, session names and ids',
    'agent-chat setup --completion\neval "$(agent-chat completion bash)"',
  )
    .addArgument(program.createArgument('[shell]', 'whose script').choices(SHELLS))
    .addOption(
      program.createOption('--words <kind>', 'the words of a kind, for the scripts').choices(WORD_KINDS).hideHelp(),
    )
    .action(async (shell: Shell | undefined, options: { words?: WordKind; json?: boolean }) => {
      if (options.words !== undefined) return ports.print(completionWords(ports.bus().home, options.words))
      const script = await run(shell)
      ports.print(options.json ? `${JSON.stringify({ shell, script })}\n` : script)
    })
}

/** The script for a shell. Throws `USAGE` without one. */
export async function runCompletion(shell: Shell | undefined): Promise<string> {
  if (shell === undefined) {
    throw new CodedError('USAGE', `which shell: ${SHELLS.join(', ')}?`, {
      hint: 'agent-chat setup --completion installs it where your shell looks for it',
    })
  }
  // Loaded for a script alone: the words are asked for at every Tab.
  return (await import('../completion/script.ts')).completionScript(shell)
}
