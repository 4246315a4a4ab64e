import type { Bus } from '../bus/bus.ts'
import type { Session, Sessions } from '../bus/names/registry.ts'
import { readState } from '../session/stateFile.ts'
import type { ProcessRef } from '../system/processes.ts'
import { type Tree, treeOf } from './tree.ts'

/**
 * The tree around a path, where a live session besides `name` was started in its repository;
 * undefined where there is none. Alone, it costs a look at the registry that was read anyway.
 */
export function sharedAt(
  path: string,
  name: string,
  sessions: Sessions,
  bus: Bus,
): Tree | undefined {
  const others = Object.values(sessions).filter((one) => one.name !== name)
  const tree = others.length === 0 ? undefined : treeOf(path)
  const isPeer = (other: Session) => {
    const there = other.cwd ? treeOf(other.cwd) : undefined
    if (!tree || !there || !isShared(tree, there)) return false
    const agent = agentOf(bus, other)
    return agent !== null && bus.processes.isAlive(agent)
  }
  return tree && others.some(isPeer) ? tree : undefined
}

/** Whether two trees are of one repository, or one is a part of the other, as a submodule is. */
function isShared(one: Tree, two: Tree): boolean {
  const isPart = (inner: Tree, outer: Tree) =>
    inner.tree.startsWith(`${outer.tree}/`) || inner.common.startsWith(`${outer.common}/modules/`)
  return one.common === two.common || isPart(one, two) || isPart(two, one)
}

/** The process of a session's agent; one that joined from outside has it from its hooks. */
export function agentOf({ home }: Pick<Bus, 'home'>, { name, agent }: Session): ProcessRef | null {
  return agent ?? readState(home, name)?.agent ?? null
}
