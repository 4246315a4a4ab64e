import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { makeDirectory, namesIn, removeFile, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { isProcessRef, type Processes } from '../system/processes.ts'
import { isBelow } from './agent.ts'

/** Notes that this process serves our tools, and forgets those that have ended. */
export function noteServer({ home, processes }: Bus): void {
  makeDirectory(home.mcpServers)
  for (const { path, live } of notes(home, processes)) if (!live) removeFile(path)
  const self = processes.self()
  replaceFileSoon(home.mcpServer(self.pid), JSON.stringify(self))
}

/** Takes this process's note back. */
export function dropServer({ home, processes }: Bus): void {
  removeFile(home.mcpServer(processes.self().pid))
}

/** Whether a server of ours runs below this process: then tools of our name are our own. */
export function servesBelow(home: Home, processes: Processes, pid: number): boolean {
  return notes(home, processes).some(({ live }) => live && isBelow(processes, live.pid, pid))
}

function notes(home: Home, processes: Pick<Processes, 'isAlive'>) {
  return namesIn(home.mcpServers)
    .filter((file) => /^\d+\.json$/.test(file))
    .map((file) => {
      const path = home.mcpServer(Number.parseInt(file, 10))
      const process = readJson(path)
      return {
        path,
        live: isProcessRef(process) && processes.isAlive(process) ? process : undefined,
      }
    })
}
