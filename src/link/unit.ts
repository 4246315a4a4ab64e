import type { Ports } from '../chat/ports.ts'
import { unitQuoted } from '../system/unitQuoted.ts'
import type { LinkRequest } from './dial.ts'
import { parseTarget } from './ssh.ts'

/** A systemd unit of the user's own that keeps this link. */
export function linkUnit(
  { target, as, peer, ssh, there }: LinkRequest,
  { self, env, bus }: Pick<Ports, 'self' | 'env' | 'bus'>,
): string {
  const name = `agent-chat-link-${peer ?? parseTarget(target).name}`
  const flags = [
    ...(as === undefined ? [] : ['--as', as]),
    ...(peer === undefined ? [] : ['--peer', peer]),
    ...(there === undefined ? [] : ['--there', there]),
    ...(ssh.length === 0 ? [] : ['--', ...ssh]),
  ]
  const command = [self.node, self.script, 'link', target, ...flags].map(unitQuoted).join(' ')
  return `# ~/.config/systemd/user/${name}.service
# systemctl --user enable --now ${name}
# loginctl enable-linger: it runs while you are logged out, too
[Unit]
Description=agent-chat link to ${target.replaceAll('%', '%%')}

[Service]
Environment=${unitQuoted(`AGENT_CHAT_HOME=${bus().home.root}`)}
Environment=${unitQuoted(`PATH=${env.PATH ?? '/usr/bin:/bin'}`)}
ExecStart=${command}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`
}
