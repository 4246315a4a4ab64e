class AgentChat < Formula
  desc "Durable, safe, inspectable messages between coding-agent sessions, with no server"
  homepage "https://www.npmjs.com/package/agent-chat"
  url "https://registry.npmjs.org/agent-chat/-/agent-chat-1.0.0.tgz"
  # Of the published package: see docs/releasing.md.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "node"
  depends_on "tmux"

  def install
    libexec.install Dir["*"], ".claude-plugin"
    bin.install_symlink libexec/"bin/agent-chat"
  end

  test do
    ENV["AGENT_CHAT_HOME"] = testpath/"chat"
    system bin/"agent-chat", "join", "backend", "--no-watch"
    assert_match "@backend", shell_output("#{bin}/agent-chat who")
  end
end
