import type { Ports } from '../../chat/ports.ts'

/** A systemd unit of the user's own that supervises the workers of this home. */
export function unitText({ self, env, bus }: Pick<Ports, 'self' | 'env' | 'bus'>): string {
  const { root } = bus().home
  const command = `${quoted(self.node)} ${quoted(self.script)}`
  return `# ~/.config/systemd/user/agent-chat.service
# systemctl --user enable --now agent-chat
[Unit]
Description=agent-chat workers

[Service]
Environment=${quoted(`AGENT_CHAT_HOME=${root}`)}
Environment=${quoted(`PATH=${env.PATH ?? '/usr/bin:/bin'}`)}
ExecStart=${command} up --foreground
ExecStop=${command} down
KillMode=process
TimeoutStopSec=60
Restart=on-failure

[Install]
WantedBy=default.target
`
}

/** In systemd's own quotes; a percent sign begins one of its words. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
}
