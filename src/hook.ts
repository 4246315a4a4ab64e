import { boot } from './boot/boot.ts'

// The hooks of a tool call load the whole gate, and the others none of it.
boot(__dirname, /-tool-use$/.test(process.argv[2] ?? '') ? 'toolHooks.js' : 'hooks.js')
