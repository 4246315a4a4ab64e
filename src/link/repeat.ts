import type { Bus } from '../bus/bus.ts'
import type { Repeat } from '../trust/human/repeats.ts'
import { type LinkRequest, planOf } from './dial.ts'

/** A link, as what may be repeated without the human: where it dials, and by which words of ssh. */
export function repeatOf(request: LinkRequest, bus: Bus): Repeat {
  const { dial, peer } = planOf(request, bus)
  const { address, ssh, there } = dial
  return { what: `link ${address}`, definition: [address, ssh, there ?? null, peer] }
}
