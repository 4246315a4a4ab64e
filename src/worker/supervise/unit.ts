import type { Ports } from '../../chat/ports.ts'
import { unitQuoted } from '../../system/unitQuoted.ts'

/** A systemd unit of the user's own that supervises the workers of this home. */
export function unitText({ self, env, bus }: Pick<Ports, 'self' | 'env' | 'bus'>): string {
  const { root } = bus().home
  const command = `${unitQuoted(self.node)} ${unitQuoted(self.script)}`
  return `# ~/.config/systemd/user/agent-chat.service
# systemctl --user enable --now agent-chat
[Unit]
Description=agent-chat workers

[Service]
Environment=${unitQuoted(`AGENT_CHAT_HOME=${root}`)}
Environment=${unitQuoted(`PATH=${env.PATH ?? '/usr/bin:/bin'}`)}
ExecStart=${command} up --foreground
ExecStop=${command} down
KillMode=process
TimeoutStopSec=60
Restart=on-failure

[Install]
WantedBy=default.target
`
}
