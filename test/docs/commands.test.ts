import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verbs } from '../../src/message/verbs.ts'
import { ROOT, runCli } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'

const HEAD = `# Commands

Made from the program's own help by \`npm run words\`. [Reference](reference.md) has the environment, exit codes and
files.`

test('docs/commands.md is what the program says of its commands', async () => {
  const home = tempDirectory()
  const help = async (...words: string[]) => {
    const { code, stdout } = await runCli([...words, '--help'], { home })
    expect(code).toBe(0)
    return `\`\`\`\n${stdout.trimEnd()}\n\`\`\``
  }
  const all = (await runCli(['help', '--all'], { home })).stdout
  const parts = [HEAD, await help(), `\`\`\`\n${all.trimEnd()}\n\`\`\``]
  let group = ''
  for (const verb of verbs().filter((verb) => !('hidden' in verb))) {
    if (verb.group !== group) parts.push(`## ${verb.group}`)
    group = verb.group
    parts.push(`### ${verb.word}`, await help(verb.word))
  }
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(join(ROOT, 'docs', 'commands.md'))
})
