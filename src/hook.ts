import { boot } from './boot/boot.ts'

// The hooks of a tool call load the whole gate, and the others none of it.
boot(__dirname, process.argv[2]?.endsWith('-tool-use') ? 'toolHooks.js' : 'hooks.js')
