import type { Bus } from '../bus/bus.ts'
import { unless } from '../system/errno.ts'
import { namesIn, removeFile } from '../system/files.ts'

/** Removes the notes of processes that are gone: the name of each one begins with its process id. */
export function sweepNotes({ home, processes }: Pick<Bus, 'home' | 'processes'>): void {
  const gone = (name: string) => processes.find(Number.parseInt(name, 10)) === undefined
  unless(['ENOTDIR', 'EACCES', 'EPERM', 'EROFS'], () => {
    for (const repository of namesIn(home.changes))
      for (const file of namesIn(home.changesIn(repository))) {
        const folder = home.changesOf(repository, file)
        for (const name of namesIn(folder).filter(gone)) removeFile(`${folder}/${name}`)
      }
  })
}
