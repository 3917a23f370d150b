import { handBackLock } from "../../../agents/etcd/member/runner";
import { paths } from "../../paths";

/** The member's two locks: next to its data, which every pod that runs it mounts. */
const lock = `${paths.etcdData}/member.lock`;
const claim = `${paths.etcdData}/member.claim`;
const handBack = handBackLock(paths.etcdMemberData);

/** Path of etcd's programs in a pod with a shell, where its image is mounted. */
export const etcdImagePath = "/opt/tradewind/etcd";

/** PATH of the shell's image, with etcd's programs. */
export const memberPath = `${etcdImagePath}/usr/local/bin:/usr/local/bin:/usr/bin:/bin`;

/** A directory of the API pod only. */
export const ownPath = "/run/tradewind/etcd-pod";

/** Exists once the API pod holds the lock. */
export const holdsFile = `${ownPath}/holds`;

/** Path of the agent that decides when an API pod may start, and of its plan. */
export const podProgramPath = "/opt/tradewind/etcd-pod";

/**
 * Runs etcd until `must_go` succeeds. etcd itself holds the lock: the kernel releases it when etcd has terminated, for
 * whatever reason. The shell waits for background processes, because it only handles signals then.
 *
 * No `$` before another `$`, or before `(` and a name: Kubernetes would expand it.
 */
const common = `set -eu
# Without the static pod's manifest, no member may run here, even if a slow or stopped kubelet has not stopped it yet.
is_desired() { [ -e ${paths.etcdStaticPod} ]; }
pid= waiter= stopping=
on_signal() {
    stopping=1
    if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; return; fi
    if [ -n "$waiter" ]; then kill "$waiter" 2>/dev/null || true; fi
    exit 143
}
trap on_signal TERM INT
await() {
    "$@" &
    waiter=$!
    wait "$waiter"
    waiter=
}
# On SIGTERM, etcd takes no more requests, and serves watches for 7 more seconds. Acknowledged writes are on disk.
watch() {
    while sleep 1; do
        if must_go; then
            kill "$pid"
            sleep 0.5
            kill -9 "$pid"
        fi
    done
}
run() {
    etcd "$@" &
    pid=$!
    (trap - TERM INT; watch) 8>&- 9>&- 2>/dev/null &
    watcher=$!
    # A signal also ends the wait.
    while :; do
        if wait "$pid"; then status=0; else status=$?; fi
        kill -0 "$pid" 2>/dev/null || break
    done
    pid=
    kill "$watcher" 2>/dev/null || true
}
exec 8>>${claim} 9>>${lock}
`;

/**
 * A machine's own member, which yields to the API pod: it stops when the API pod claims the lock, waits for it, and
 * takes over as soon as the API pod has stopped. The word before the flags is `imagesWord`.
 */
export const standbyScript = `${common}must_go() { ! is_desired || ! flock -n -s 7 7>>${claim}; }
shift
while :; do
    until is_desired; do await sleep 1; done
    await flock -s 8
    flock -u 8
    await flock 9
    if ! must_go; then
        run "$@"
        if [ -n "$stopping" ] || ! must_go; then exit "$status"; fi
        echo "etcd-standby: stopped for the pod"
    fi
    flock -u 9
done
`;

/**
 * The API pod: it runs the machine's own member as long as its static pod exists and no agent is working on it. When it
 * stops, its container restarts and checks again whether it may start.
 */
export const podScript = `${common}rm -f ${ownPath}/*
# Held by an agent that is changing the member.
is_locked() { [ -e ${handBack} ] && { flock -n -s 7 7<${handBack}; [ $? -eq 1 ]; }; }
must_go() { ! is_desired || is_locked; }
await node --max-semi-space-size=1 ${podProgramPath}/etcd-pod.js ${podProgramPath}/plan.json ${ownPath}/flags
set --
while IFS= read -r flag; do set -- "$@" "$flag"; done <${ownPath}/flags
await flock 8
await flock 9
if must_go; then exit 0; fi
echo "etcd-pod: taking over the member"
: >${holdsFile}
run "$@"
exit "$status"
`;
