import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest directory upwards that has something at this path, not above its repository. */
export function nearestWith(path: string, directory: string): string | undefined {
  if (existsSync(join(directory, path))) return directory
  const up = dirname(directory)
  return up === directory || existsSync(join(directory, '.git')) ? undefined : nearestWith(path, up)
}
