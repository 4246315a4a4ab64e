"use strict";var S=Object.defineProperty;var re=Object.getOwnPropertyDescriptor;var oe=Object.getOwnPropertyNames;var se=Object.prototype.hasOwnProperty;var ie=(e,t)=>{for(var n in t)S(e,n,{get:t[n],enumerable:!0})},ae=(e,t,n,r)=>{if(t&&typeof t=="object"||typeof t=="function")for(let o of oe(t))!se.call(e,o)&&o!==n&&S(e,o,{get:()=>t[o],enumerable:!(r=re(t,o))||r.enumerable});return e};var ue=e=>ae(S({},"__esModule",{value:!0}),e);var We={};ie(We,{completionCommand:()=>Be});module.exports=ue(We);var c=class extends Error{code;hint;lines;constructor(t,n,r){super(n,{cause:r.cause}),this.code=t,this.hint=r.hint,this.lines=r.lines??[]}};var p=require("fs"),h=require("path");function m(e,...t){return e instanceof Error&&"code"in e&&typeof e.code=="string"&&t.includes(e.code)}function l(e,t){try{return t()}catch(n){if(m(n,...e))return;throw n}}var i=require("fs"),ce=require("path");function I(e){return l(["ENOENT"],()=>(0,i.openSync)(e,"r"))}var w=["bash","zsh","fish"];var E=[{word:"start",group:"Sessions",summary:"Start a session of Claude Code or another agent",needs:"settings"},{word:"attach",group:"Sessions",summary:"Show the terminal of a session that runs in tmux"},{word:"stop",group:"Sessions",summary:"End a session's agent; unread messages stay",slash:{usage:"@name",takes:"name"}},{word:"join",group:"Sessions",summary:"Register this session under a name",needs:"settings"},{word:"leave",group:"Sessions",summary:"Unregister a session; its agent keeps running"},{word:"rename",group:"Sessions",summary:"Rename a session; its inbox and conversations stay"},{word:"who",group:"Sessions",summary:"List the sessions: pane, state, unread messages",free:!0,slash:{usage:""}},{word:"status",group:"Sessions",summary:"Show what a session is doing, and its tasks",free:!0,slash:{usage:"[@name]",takes:"name"}},{word:"whoami",group:"Sessions",summary:"Print the name that this command speaks under",free:!0},{word:"send",group:"Messages",summary:"Send a message to one session",free:!0},{word:"ask",group:"Messages",summary:"Ask a session a question and wait for the answer",free:!0},{word:"reply",group:"Messages",summary:"Answer a message, in its thread",free:!0},{word:"inbox",group:"Messages",summary:"Print unread messages and mark them read",free:!0},{word:"show",group:"Messages",summary:"Show one message and its delivery state",free:!0,slash:{usage:"<id>",takes:"id"}},{word:"thread",group:"Messages",summary:"Show the whole conversation of a message, oldest first",free:!0,slash:{usage:"<id>",takes:"id"}},{word:"history",group:"Messages",summary:"List the last messages of all sessions, oldest first",free:!0,slash:{usage:"[count] [--with @name]",takes:"name"}},{word:"search",group:"Messages",summary:"Find messages by words, newest first",free:!0,slash:{usage:"words"}},{word:"task",group:"Tasks",summary:"Give a session a task and follow its state",free:!0},{word:"tasks",group:"Tasks",summary:"List tasks and their states, oldest first",free:!0,slash:{usage:"[--open]"}},{word:"accept",group:"Tasks",summary:"Accept a task",free:!0},{word:"decline",group:"Tasks",summary:"Decline a task and say why",free:!0},{word:"done",group:"Tasks",summary:"Finish a task, with its result",free:!0},{word:"fail",group:"Tasks",summary:"Give up a task and say why",free:!0},{word:"agents",group:"Workers",summary:"List, check and allow the agents that work alone"},{word:"schedule",group:"Workers",summary:"Give a worker the same task at set times"},{word:"console",group:"You",summary:"Open the console: see every message, write, answer",needs:"settings"},{word:"escalate",group:"You",summary:"Ask the human for a decision",free:!0},{word:"gate",group:"Guardrails",summary:"Show what the guardrails allow now, and why",free:!0,slash:{usage:"[name]",takes:"name"}},{word:"approve",group:"Guardrails",summary:"Let a session's messages pass without asking you",free:!0,slash:{usage:"@peer --as @session",takes:"name"}},{word:"pause",group:"Guardrails",summary:"Pause all notifications; messages are kept",free:!0,slash:{usage:""}},{word:"unpause",group:"Guardrails",summary:"Turn notifications on again and release held messages",free:!0,slash:{usage:""}},{word:"release",group:"Guardrails",summary:"Release the held messages of one chain",free:!0,slash:{usage:"<chain>",takes:"chain"}},{word:"resume",group:"Guardrails",summary:"Old name of release and unpause",free:!0,hidden:!0},{word:"stats",group:"Archive",summary:"Count messages and tokens, by session, pair and day",free:!0,slash:{usage:""}},{word:"export",group:"Archive",summary:"Write messages to one markdown or JSON file"},{word:"prune",group:"Archive",summary:"Remove old, finished conversations"},{word:"watch-file",group:"Archive",summary:"Send a session a short diff whenever a file changes"},{word:"setup",group:"Setup",summary:"Install what is missing and prove that it works",needs:"nothing"},{word:"doctor",group:"Setup",summary:"Check and repair the installation and the home",needs:"nothing"},{word:"completion",group:"Setup",summary:"Print the script that completes commands with Tab",needs:"nothing"},{word:"help",group:"Setup",summary:"Show help for a command, exit-codes or environment",needs:"nothing",free:!0},{word:"watch",group:"Setup",summary:"Ring for a session's unread messages, in the foreground",needs:"nothing",hidden:!0}];function _(e){return E.find(t=>t.word===e)}function A(e,t,n){let r=e.command(t).description(_(t)?.summary??"").option("--json","print data as JSON").addHelpText("after",`
Example:
  ${n.replaceAll(`
`,`
  `)}`);return Object.assign(r,{example:n.replaceAll(/ \\\n\s*/g," ").split(`
`)[0]})}var de=`# Completion of agent-chat for bash. Made by: agent-chat completion bash

_agent_chat() {
  local line=\${COMP_LINE:0:COMP_POINT} typed cut prefix= offered word
  local -a words
  # bash cuts words at @, : and =, so they are taken from the line itself.
  IFS=$' \\t\\n' read -r -d '' -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  typed=\${words[\${#words[@]} - 1]}
  # Everything up to the last of those signs stays on the line, except an @.
  cut=\${typed%"\${typed##*[$COMP_WORDBREAKS]}"}
  cut=\${cut%@}
  offered=$(agent-chat completion --at "\${words[@]:1}" 2>/dev/null | cut -f 1)
  if [[ $offered == :files ]]; then
    [[ $typed == --*=* ]] && prefix=\${typed%%=*}=
    compopt -o filenames 2>/dev/null
    offered=$(compgen -f -- "\${typed#"$prefix"}")
    typed=$prefix
  fi
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word:+$prefix$word}
    [[ -n $word && $word == "$typed"* ]] && COMPREPLY+=("\${word#"$cut"}")
  done <<< "$offered"
}

complete -F _agent_chat agent-chat
`,fe=`#compdef agent-chat
# Completion of agent-chat for zsh. Made by: agent-chat completion zsh

_agent-chat() {
  local -a before=("\${(@Q)words[2,CURRENT-1]}") offered
  offered=(\${(f)"$(agent-chat completion --at "$before[@]" "\${(Q)PREFIX}" 2>/dev/null)"})
  if [[ $offered == :files ]]; then
    compset -P '--*='
    _files
  else
    offered=("\${(@)offered//:/\\\\:}")
    offered=("\${(@)offered/$'\\t'/:}")
    _describe -V agent-chat offered
  fi
}

if (( \${funcstack[(I)_agent-chat]} )); then
  _agent-chat "$@"
elif (( $+functions[compdef] )); then
  compdef _agent-chat agent-chat
fi
`,me=`# Completion of agent-chat for fish. Made by: agent-chat completion fish

function __agent_chat
    command -q agent-chat; or return
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l offered (agent-chat completion --at $words "$typed" 2>/dev/null)
    if test "$offered" = :files
        set -l prefix (string match -r -- '^--[^=]*=' "$typed")
        set offered (__fish_complete_path (string replace -- "$prefix" '' "$typed"))
        set offered "$prefix"$offered
    end
    string join \\n -- $offered
end

complete -c agent-chat -e
complete -c agent-chat -f -k -a '(__agent_chat)'
`,v={bash:de,zsh:fe,fish:me};var X=require("fs");var d=/^[a-z][a-z0-9-]{0,31}$/,N="human",le="agent-chat",pe=["all","everyone"],ut=new Set([...E.map(({word:e})=>e),...pe,"help","read",N,le]);var ge=/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{6})Z-from-(.+)$/;var he=/^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}\.md$/;function ye(e){let t=ge.exec(e);if(!t)return;let[,n,r,o,s,a,u,te,P=""]=t,ne=Date.UTC(Number(n),Number(r)-1,Number(o),Number(s),Number(a),Number(u))/1e3;if(d.test(P))return{micros:ne*1e6+Number(te),from:P}}function x(e){return(ye(e)?.micros??0)/1e3}function Se(e){return he.test(e)}function C(e){return Se(e)?e.slice(0,-3):void 0}var f=require("fs");var we=64*1024;function*D(e){let t=I(e);if(t!==void 0)try{let n=(0,f.fstatSync)(t).size,r=Buffer.alloc(0);for(;n>0;){let o=Math.min(we,n);n-=o;let s=Buffer.alloc(o);(0,f.readSync)(t,s,0,o,n);let a=r.length===0?s:Buffer.concat([s,r]);for(let u=a.lastIndexOf(10);u>=0;u=a.lastIndexOf(10))u+1<a.length&&(yield a.toString("utf8",u+1)),a=a.subarray(0,u);r=a}r.length>0&&(yield r.toString("utf8"))}finally{(0,f.closeSync)(t)}}var U=require("fs");var L=require("fs");function H(e){try{return JSON.parse((0,L.readFileSync)(e,"utf8"))}catch(t){if(m(t,"ENOENT"))return;if(t instanceof SyntaxError)return null;throw t}}var F=[],y;function B(e){let t=Ee(e);return t===""?F:((y?.path!==e.names||y.version!==t)&&(y={path:e.names,version:t,renames:Ne(e)}),y.renames)}function Ee(e){let t=(0,U.statSync)(e.names,{throwIfNoEntry:!1});return t===void 0?"":`${t.ino} ${t.mtimeMs} ${t.size}`}function G(e,t,n){let r=t,o=!1;for(let{from:s,to:a,until:u}of e)s!==r||!(o||u===null||n<Date.parse(u))||(r=a,o=!0);return r}function Ne(e){let t=H(e.names);return Array.isArray(t)?t.filter(xe):F}function xe(e){if(typeof e!="object"||e===null)return!1;let{from:t,to:n,at:r,until:o,done:s}=e;return[t,n].every(u=>typeof u=="string"&&d.test(u))&&typeof r=="string"&&(o===null||typeof o=="string")&&typeof s=="boolean"}function*W(e,t){let n=B(e);for(let r of D(e.history)){if(t!==void 0&&!r.includes(t))continue;let o=be(r);o&&(yield n.length===0?o:$e(n,o))}}function be(e){try{let t=JSON.parse(e);return ke(t)?t:void 0}catch{return}}function b(e){return e.event==="sent"&&[e.id,e.from,e.to,e.preview].every(t=>typeof t=="string")}var Oe=["from","to","by","name"];function $e(e,t){if(t.event==="renamed")return t;let n=b(t)?x(t.id):Date.parse(t.at),r=Oe.flatMap(o=>{let s=t[o];return typeof s=="string"?[[o,G(e,s,n)]]:[]});return{...t,...Object.fromEntries(r)}}function ke(e){return typeof e=="object"&&e!==null&&"event"in e&&typeof e.event=="string"&&"at"in e}var O=require("fs");var At=process.env.AGENT_CHAT_FAULT;var j=require("fs");function K(e){return typeof e!="object"||e===null||!("pid"in e)||!("started"in e)?!1:typeof e.pid=="number"&&typeof e.started=="string"}function z(e){let t=Te(e);if(t===void 0)return{};let n=Re(t);if(n)return n;throw new c("REGISTRY_BROKEN",`${e.sessions} cannot be read as a registry`,{hint:"run: agent-chat doctor; it moves the file aside, and each session can then join again"})}function Te(e){return l(["ENOENT"],()=>(0,O.readFileSync)(e.sessions,"utf8"))}function Re(e){let t;try{t=JSON.parse(e)}catch{return}if(typeof t!="object"||t===null||Array.isArray(t))return;let n={};for(let[r,o]of Object.entries(t)){let s=d.test(r)?Pe(r,o):void 0;if(!s)return;n[r]=s}return n}function Pe(e,t){if(typeof t!="object"||t===null||Array.isArray(t))return;let{watch:n,prompt:r,...o}={...t};return{...o,name:e,pane:g(o.pane),tmux_socket:g(o.tmux_socket),joined_at:g(o.joined_at)??"1970-01-01T00:00:00.000Z",agent:Ie(o.agent),native:o.native===!0,doorbell:g(o.doorbell)??"auto",cwd:g(o.cwd)??"",...n===!1?{watch:n}:{},...typeof r=="string"?{prompt:r}:{}}}function g(e){return typeof e=="string"&&e!==""?e:null}function Ie(e){return!K(e)||!Number.isSafeInteger(e.pid)||e.pid<=1?null:{pid:e.pid,started:e.started}}var $="bcdfghjkmnpqrstvwxyz",k="23456789",V=$+k,_e=5;var Ae=4;function Y(e,t=_e){let n=ve(e),r=s=>{let a=n%s.length;return n=Math.floor(n/s.length),s.charAt(a)},o=r($)+r(k);for(;o.length<t;)o+=r(V);return o}var Zt=new RegExp(`^[${$}][${k}][${V}]{${Ae-2},}$`,"i");function ve(e){let t=3735928559,n=1103547991;for(let r=0;r<e.length;r+=1){let o=e.charCodeAt(r);t=Math.imul(t^o,2654435761),n=Math.imul(n^o,1597334677)}return t=Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909),n=Math.imul(n^n>>>16,2246822507)^Math.imul(t^t>>>13,3266489909),4294967296*(2097151&n)+(t>>>0)}var T="\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\p{DI}",J="\\p{ExtPict}(?:\\ufe0e|\\p{EMod}?\\ufe0f?)",Me="Arab Syrc Nkoo Mand Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(" ").map(e=>`\\p{scx=${e}}`).join(""),Ce=["\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}",`${J}(?:\\u200d${J})*`,"[0-9#*]\\ufe0f\\u20e3",`(?<=(?=[\\p{L}\\p{M}])(?!\\p{DI})[${Me}])[\\u200c\\u200d]`,"(?<=(?=\\p{L})\\p{sc=Mong})[\\u180b-\\u180f]"],Z={hidden:R(`[${T}]`,"u"),odd:R(`(${Ce.join("|")})|[${T}]`,"gu"),seen:R(`[^${T}\\s]`,"u")};function De(e){return/^[\n\t -~]*$/.test(e)||!Z.hidden().test(e)?e:e.replace(/\r(?=\n|$)/g,"").replace(Z.odd(),(t,n)=>{if(n!==void 0)return n;let r=t.codePointAt(0)??0;return r<32?`^${String.fromCharCode(r+64)}`:r===127?"^?":`<U+${r.toString(16).toUpperCase().padStart(4,"0")}>`})}function q(e){return De(e.replaceAll(/(?:\r?\n|\t)+/g," "))}function R(e,t){let n;return()=>(n??=new RegExp(e,t),n)}var Q=["names","sessions","ids","tasks"],Le=50,He=2e3;function ee(e,t){return t==="ids"||t==="tasks"?Ue(e,t):[...Object.keys(z(e)).sort(),...t==="names"?[N]:[]]}function Ue(e,t){let n=[],r=0;for(let o of W(e)){if(r+=1,r>He||n.length===Le)break;!b(o)||C(`${o.id}.md`)===void 0||t==="tasks"&&(o.kind!=="task"||!(0,X.existsSync)(e.openTask(o.id)))||n.push(`${Y(o.id)}	${Fe(o)}`)}return n}function Fe({from:e,to:t,kind:n,subject:r,preview:o}){return q(`@${e} \u2192 @${t} ${n}: ${r??o}`).slice(0,80)}function Be(e,t){A(e,"completion",`agent-chat setup --completion
eval "$(agent-chat completion bash)"`).addArgument(e.createArgument("[shell]","the shell").choices(w)).addOption(e.createOption("--words <kind>","asked by the scripts of older versions").choices(Q).hideHelp()).action((n,{words:r,json:o})=>{if(r!==void 0)return t.print(ee(t.bus().home,r).map(a=>`${a}
`).join(""));let s=Ge(n);t.print(o?`${JSON.stringify({shell:n,script:s})}
`:s)})}function Ge(e){if(e!==void 0)return v[e];throw new c("USAGE",`which shell: ${w.join(", ")}?`,{hint:"to install it where your shell looks: agent-chat setup --completion"})}0&&(module.exports={completionCommand});
