"use strict";var k=Object.defineProperty;var q=Object.getOwnPropertyDescriptor;var X=Object.getOwnPropertyNames;var Q=Object.prototype.hasOwnProperty;var ee=(e,n)=>{for(var r in n)k(e,r,{get:n[r],enumerable:!0})},ne=(e,n,r,t)=>{if(n&&typeof n=="object"||typeof n=="function")for(let o of X(n))!Q.call(e,o)&&o!==r&&k(e,o,{get:()=>n[o],enumerable:!(t=q(n,o))||t.enumerable});return e};var re=e=>ne(k({},"__esModule",{value:!0}),e);var Pe={};ee(Pe,{spawnWatcher:()=>Z,startAgain:()=>xe});module.exports=re(Pe);var N=require("fs");var A=require("fs");var f=class extends Error{code;hint;lines;constructor(n,r,t){super(r,{cause:t.cause}),this.code=n,this.hint=t.hint,this.lines=t.lines??[]}};var x=/^[a-z][a-z0-9-]{0,31}$/;function a(e,...n){return e instanceof Error&&"code"in e&&typeof e.code=="string"&&n.includes(e.code)}function m(e,n){try{return n()}catch(r){if(a(r,...e))return;throw r}}var Me=process.env.AGENT_CHAT_FAULT;var s=require("fs"),P=require("path");function O(e,n,r=()=>!0){let t=`${e}.${process.pid}.tmp`,o=!1;try{(0,s.writeFileSync)(t,n,{mode:384}),r()&&((0,s.renameSync)(t,e),o=!0)}finally{o||d(t)}return o}function d(e){m(["ENOENT"],()=>(0,s.unlinkSync)(e))}function l(e){return(0,s.lstatSync)(e,{throwIfNoEntry:!1})!==void 0}function B(e){return a(e,"EPERM","ENOTSUP","EOPNOTSUPP","ENOSYS","EXDEV","EMLINK")}function p(e){if(!(0,s.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())try{L(e)}catch(n){if(!a(n,"ENOENT")||(0,P.dirname)(e)===e)throw n;p((0,P.dirname)(e)),L(e)}}function L(e){try{(0,s.mkdirSync)(e,{mode:448})}catch(n){if(!(0,s.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())throw n}}var b=require("fs");function g(e){return typeof e!="object"||e===null||!("pid"in e)||!("started"in e)?!1:typeof e.pid=="number"&&typeof e.started=="string"}function R(e,n){return e?.pid===n?.pid&&e?.started===n?.started}var T=require("fs");var Ve=64*1024;var oe=require("fs");var C=require("fs");function w(e){if(l(e))try{return JSON.parse((0,C.readFileSync)(e,"utf8"))}catch(n){if(a(n,"ENOENT"))return;if(n instanceof SyntaxError)return null;throw n}}function v(e){let n=se(e);if(n===void 0)return{};let r=ie(n);if(r)return r;throw new f("REGISTRY_BROKEN",`${e.sessions} cannot be read as a registry`,{hint:"run: agent-chat doctor; it moves the file aside, and each session can then join again"})}function se(e){return m(["ENOENT"],()=>(0,A.readFileSync)(e.sessions,"utf8"))}function ie(e){let n;try{n=JSON.parse(e)}catch{return}if(typeof n!="object"||n===null||Array.isArray(n))return;let r={};for(let[t,o]of Object.entries(n)){let i=x.test(t)?ae(t,o):void 0;if(!i)return;r[t]=i}return r}function ae(e,n){if(typeof n!="object"||n===null||Array.isArray(n))return;let{watch:r,prompt:t,program:o,server:i,...u}={...n};return{...u,name:e,pane:h(u.pane),tmux_socket:h(u.tmux_socket),joined_at:h(u.joined_at)??"1970-01-01T00:00:00.000Z",agent:ue(u.agent),native:u.native===!0,doorbell:h(u.doorbell)??"auto",cwd:h(u.cwd)??"",...r===!1?{watch:r}:{},...typeof t=="string"?{prompt:t}:{},...typeof o=="string"?{program:o}:{},...typeof i=="string"?{server:i}:{}}}function h(e){return typeof e=="string"&&e!==""?e:null}function ue(e){return!g(e)||!Number.isSafeInteger(e.pid)||e.pid<=1?null:{pid:e.pid,started:e.started}}var I=require("fs"),W=require("path");function E(e){if(l(e))try{let[n="",r=""]=(0,I.readFileSync)(e,"utf8").split(`
`);return/^\d{1,10}$/.test(n)&&r!==""?{pid:Number(n),started:r}:void 0}catch(n){if(a(n,"ENOENT"))return;throw n}}function _(e,{pid:n,started:r},t=""){p((0,W.dirname)(e)),O(e,`${n}
${r}
${t}`)}var y=require("fs");function F(e,n){let r=n.self();for(;;){if(G(e,r))return()=>de(e,r);let t=S(e);if(t==="gone")continue;if($(t,n))return t;let o=fe(e,n);if(o)return o}}function U(e){let n=S(e);return n==="gone"?void 0:n}function S(e){let n=w(e);return n===void 0?"gone":g(n)?n:void 0}function $(e,n){return e!==void 0&&n.isAlive(e)}function de(e,n){R(U(e),n)&&d(e)}function G(e,n){let r=`${e}.${n.pid}.tmp`;l(r)&&d(r);try{return(0,y.writeFileSync)(r,JSON.stringify(n),{flag:"wx",mode:384}),(0,y.linkSync)(r,e),!0}catch(t){if(a(t,"EEXIST"))return!1;if(!B(t))throw t;return ce(e,n)}finally{d(r)}}function ce(e,n){try{(0,y.writeFileSync)(e,JSON.stringify(n),{flag:"wx",mode:384})}catch(r){if(a(r,"EEXIST"))return!1;throw d(e),r}return R(U(e),n)}function fe(e,n){let r=`${e}.stale`;if(!G(r,n.self())){let t=S(r);if(t==="gone")return;if($(t,n))return t;d(r);return}try{let t=S(e);t!=="gone"&&!$(t,n)&&d(e)}finally{d(r)}}function M(e){let{doorbell:n,pane:r,watch:t,server:o}=e;return(r!==null||o!==void 0)&&t!==!1&&(n==="auto"||n==="tmux")}function j(e,n){return J(e,e.home.pid(n))}function K(e){return J(e,e.home.watcherPid)}function H(e){let{isAlive:n}=e.processes;return K(e)===void 0&&Object.values(v(e.home)).some(r=>M(r)&&(r.agent===null||n(r.agent))&&j(e,r.name)===void 0)}function J({processes:e},n){let r=E(n);return r&&e.isAlive(r)?r:void 0}var le=3,pe=6e4,ge=1e4;function V(e,n){if(!H(e))return!0;p(e.home.pids);let r=F(e.home.watcherLock,e.processes);if(typeof r!="function")return!0;try{return!H(e)||he(e,n)}finally{r()}}function he(e,n){let r=ye(e);if(r.count>=le&&r.ago<ge)return!1;let t=n(),o=t===void 0?void 0:e.processes.find(t);if(!o)return!1;let i=r.ago<pe?r.count+1:1;return _(e.home.watcherPid,o,`${i}
`),!0}function ye({home:e,clock:n}){let r=(0,N.statSync)(e.watcherPid,{throwIfNoEntry:!1});return r===void 0||E(e.watcherPid)===void 0?{count:0,ago:Number.POSITIVE_INFINITY}:{count:Number((0,N.readFileSync)(e.watcherPid,"utf8").split(`
`)[2])||0,ago:Math.abs(n.now()-r.mtimeMs)}}var we=require("fs"),Ee=require("path");function Y(e,n,r){let[t,...o]=e,i=Se().spawn(t,o,{detached:!0,stdio:"ignore",env:n,cwd:r});return i.on("error",()=>{}),i.unref(),i.pid}function Se(){return process.getBuiltinModule("node:child_process")}var c=require("fs");var lr=c.constants.O_WRONLY|c.constants.O_NOCTTY|c.constants.O_NONBLOCK;var Ne=`
set -f
PATH=$PATH:/bin:/usr/bin
woken=0 nap= round=0
trap 'woken=1; [ -z "$nap" ] || kill "$nap" 2>/dev/null' URG
trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; exit' TERM
while :; do
  woken=0
  after=$("$1" "$2" watch @all --rest-of $$) || exit
  [ -n "$after" ] || exit 0
  while [ $woken = 0 ]; do
    sleep 5 & nap=$!
    [ $woken = 1 ] || wait $nap || [ $woken = 1 ] || exit
    kill $nap 2>/dev/null
    nap=
    round=$(( (round + 1) % 6 ))
    for one in $after; do
      case $one in
        /proc/*) read -r stat 2>/dev/null < "$one/stat" || stat=
          case \${stat##*) } in '' | [ZX]*) woken=1 ;; esac ;;
        /*) [ -e "$one" ] || woken=1 ;;
        [0-9]*) kill -0 "$one" 2>/dev/null || woken=1 ;;
        *) [ $round = 0 ] || continue
          for path in "$3/inbox/$one" "$3/state/$one.rings.json"; do
            [ "$path" -nt "$3/pids/@watcher.rest" ] && woken=1
          done ;;
      esac
    done
    [ -e "$3/pids/@watcher.rest" ] || woken=1
  done
done
`,ke=["AGENT_CHAT_DOORBELL","AGENT_CHAT_FAULT","AGENT_CHAT_NAME","AGENT_CHAT_PROMPT"];function z({node:e,script:n},r,{root:t}){let o=Object.fromEntries(Object.entries(r).filter(([u])=>!ke.includes(u)));return Y(["/bin/sh","-c",Ne,"agent-chat",e,n,t],{...o,AGENT_CHAT_HOME:t},t)}function Z({self:e,env:n,bus:r}){return z(e,n,r().home)}function xe(e){V(e.bus(),()=>Z(e))}0&&(module.exports={spawnWatcher,startAgain});
