import { boot } from './boot/boot.ts'

const [, , word] = process.argv
// The hooks of a tool call load the gate, and the others none of it.
const isBefore = word === 'pre-tool-use' || word === 'early-tool-use'
const isAfter = word === 'post-tool-use'
boot(__dirname, isBefore ? 'beforeTool.js' : isAfter ? 'afterTool.js' : 'hooks.js')
