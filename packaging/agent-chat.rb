class AgentChat < Formula
  desc "Let your coding agents message each other, with you in control"
  homepage "https://www.npmjs.com/package/agent-chat"
  url "https://registry.npmjs.org/agent-chat/-/agent-chat-1.0.0.tgz"
  # Of the published packages, as SHA256SUMS has them: see docs/dev/releasing.md.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "tmux"

  # The native program: no Node is needed.
  resource "native" do
    if OS.mac? && Hardware::CPU.arm?
      url "https://registry.npmjs.org/agent-chat-darwin-arm64/-/agent-chat-darwin-arm64-1.0.0.tgz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    elsif OS.mac?
      url "https://registry.npmjs.org/agent-chat-darwin-x64/-/agent-chat-darwin-x64-1.0.0.tgz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    elsif Hardware::CPU.arm?
      url "https://registry.npmjs.org/agent-chat-linux-arm64/-/agent-chat-linux-arm64-1.0.0.tgz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    else
      url "https://registry.npmjs.org/agent-chat-linux-x64/-/agent-chat-linux-x64-1.0.0.tgz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    libexec.install Dir["*"], ".claude-plugin"
    resource("native").stage { (libexec/"node_modules/agent-chat-native").install Dir["*"] }
    bin.install_symlink libexec/"bin/agent-chat"
  end

  test do
    ENV["AGENT_CHAT_HOME"] = testpath/"chat"
    system bin/"agent-chat", "join", "backend", "--no-watch"
    assert_match "@backend", shell_output("#{bin}/agent-chat who")
  end
end
