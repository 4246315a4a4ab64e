import { join } from 'node:path'

// `npm run setup` is `agent-chat setup`, from a clone that is not linked yet.
process.argv.splice(2, 0, 'setup')
require(join(__dirname, 'main.js'))
