import { boot } from './boot/boot.ts'

/** The hooks of a tool call load the gate, and the others none of it. */
function programOf(word: string | undefined): string {
  if (word === 'pre-tool-use' || word === 'early-tool-use') return 'beforeTool.js'
  return word === 'post-tool-use' ? 'afterTool.js' : 'hooks.js'
}

boot(__dirname, programOf(process.argv[2]))
