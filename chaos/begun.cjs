// @ts-nocheck the path is always given
// Loaded before the program: says that Node has started, and that what runs from here on is the program's own code.
require('node:fs').writeFileSync(process.env.CHAOS_BEGUN, '')
