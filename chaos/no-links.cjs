// Loaded before the program: `link(2)` answers as it does on a disk without hard links (EPERM, says its manual page).
require('node:fs').linkSync = () => {
  throw Object.assign(new Error('EPERM: operation not permitted, link'), {
    code: 'EPERM',
    syscall: 'link',
  })
}
