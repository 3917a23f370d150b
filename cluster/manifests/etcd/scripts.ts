import { handBackLock } from "../../../agents/etcd/member/runner";
import { paths } from "../../paths";

/** Where the member's two locks are: beside its data, which each pod that runs it has. */
const lock = `${paths.etcdData}/member.lock`;
const claim = `${paths.etcdData}/member.claim`;
const handBack = handBackLock(paths.etcdMemberData);

/** Where etcd's own programs are in a pod that has a shell, too: its image is mounted there. */
export const etcdImagePath = "/opt/tradewind/etcd";

/** As the shell's image has it, and etcd's programs. */
export const memberPath = `${etcdImagePath}/usr/local/bin:/usr/local/bin:/usr/bin:/bin`;

/** A directory of the pod of the API alone. */
export const ownPath = "/run/tradewind/etcd-pod";

/** There from when the pod of the API has the lock. */
export const holdsFile = `${ownPath}/holds`;

/** Where the agent that lets a pod of the API begin is, and its plan. */
export const podProgramPath = "/opt/tradewind/etcd-pod";

/**
 * Runs etcd as long as `must_go` has nothing against it. What holds the lock is etcd itself: the kernel frees it when that
 * has ended, however it did. In the background what the shell waits for, since it heeds no signal before that ends.
 *
 * No `$` before another, nor before `(` and a name: Kubernetes would make something else of it.
 */
const common = `set -eu
# Who takes it away wants no member here, whatever runs still: a kubelet may be slow, or away.
is_wanted() { [ -e ${paths.etcdStaticPod} ]; }
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
# Asked to end, it takes no more requests, and lets its clients' watches go on for 7 seconds. What it acknowledged is on the disk.
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
    # A signal ends the wait, too.
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
 * A machine's own member that gives way to the pod of the API: it ends when that claims it, waits for the lock, and takes
 * over as soon as that has ended. The word before the flags is `imagesWord`.
 */
export const standingScript = `${common}must_go() { ! is_wanted || ! flock -n -s 7 7>>${claim}; }
shift
while :; do
    until is_wanted; do await sleep 1; done
    await flock -s 8
    flock -u 8
    await flock 9
    if ! must_go; then
        run "$@"
        if [ -n "$stopping" ] || ! must_go; then exit "$status"; fi
        echo "etcd-standing: gave way"
    fi
    flock -u 9
done
`;

/**
 * The pod of the API: it runs what the machine's own member runs, as long as that is there, and no agent at work on it.
 * When it has ended, its container is started anew, and asks anew whether it may begin.
 */
export const podScript = `${common}rm -f ${ownPath}/*
# Of an agent that is at work on the member.
is_locked() { [ -e ${handBack} ] && { flock -n -s 7 7<${handBack}; [ $? -eq 1 ]; }; }
must_go() { ! is_wanted || is_locked; }
await node --max-semi-space-size=1 ${podProgramPath}/etcd-pod.js ${podProgramPath}/plan.json ${ownPath}/flags
set --
while IFS= read -r flag; do set -- "$@" "$flag"; done <${ownPath}/flags
await flock 8
await flock 9
if must_go; then exit 0; fi
echo "etcd-pod: takes over"
: >${holdsFile}
run "$@"
exit "$status"
`;
