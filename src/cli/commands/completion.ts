import type { Command } from 'commander'
import { CodedError } from '../../errors.ts'
import { SHELLS, type Shell } from '../../setup/completion.ts'
import { addCommand } from '../command.ts'
import { SCRIPTS } from '../completion/scripts.ts'
import { knownWords, WORD_KINDS, type WordKind } from '../completion/words.ts'
import type { Ports } from '../ports.ts'

type Flags = { words?: WordKind; json?: boolean }

export function completionCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'completion',
    'agent-chat setup --completion\neval "$(agent-chat completion bash)"',
  )
    .addArgument(program.createArgument('[shell]', 'the shell').choices(SHELLS))
    .addOption(
      program
        .createOption('--words <kind>', 'asked by the scripts of older versions')
        .choices(WORD_KINDS)
        .hideHelp(),
    )
    .action((shell: Shell | undefined, { words, json }: Flags) => {
      if (words !== undefined)
        return ports.print(
          knownWords(ports.bus().home, words)
            .map((word) => `${word}\n`)
            .join(''),
        )
      const script = scriptFor(shell)
      ports.print(json ? `${JSON.stringify({ shell, script })}\n` : script)
    })
}

/** Throws `USAGE` without a shell. */
function scriptFor(shell: Shell | undefined): string {
  if (shell !== undefined) return SCRIPTS[shell]
  throw new CodedError('USAGE', `which shell: ${SHELLS.join(', ')}?`, {
    hint: 'to install it where your shell looks: agent-chat setup --completion',
  })
}
