import type { Command } from 'commander'
import type { Ports } from '../ports.ts'
export function doctorCommand(_program: Command, _ports: Ports): void {}
