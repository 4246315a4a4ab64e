// Loaded before the program: the disk is full for as long as there is the file FULL.
const fs = require('node:fs')

const { writeSync, writeFileSync } = fs
fs.writeSync = whileRoom(writeSync)
fs.writeFileSync = whileRoom(writeFileSync)

/**
 * @template {(...args: any[]) => any} Write
 * @param {Write} write
 * @returns {Write}
 */
function whileRoom(write) {
  return /** @type {Write} */ (
    (...args) => {
      if (!fs.existsSync(process.env.FULL ?? '')) return write(...args)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      })
    }
  )
}
