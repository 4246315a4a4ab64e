import { boot } from './boot/boot.ts'

/** The hooks of a tool call load the gate, and the others none of it. */
const PROGRAMS: Record<string, string> = {
  'pre-tool-use': 'beforeTool.js',
  'early-tool-use': 'beforeTool.js',
  'post-tool-use': 'afterTool.js',
}

boot(__dirname, PROGRAMS[process.argv[2] ?? ''] ?? 'hooks.js')
