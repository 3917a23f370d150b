import { paths } from "../../components/nodes/paths";
import type { Controller } from "./controller";

/** Seconds that the kubelet has to stop a member: one that waits for an API that hangs takes more than half a minute. */
const patience = 60;

/** The static pod goes first: a kubelet that is away, or waits, starts nothing of it again. */
export const resetScript = `set -eu
data=${paths.etcdMemberData}
rm -f ${paths.etcdStaticPod}
sync
has_ended_in() {
    left=$1
    while pgrep -x etcd >/dev/null; do
        [ $((left -= 1)) -ge 0 ] || return 1
        sleep 1
    done
}
if ! has_ended_in ${patience}; then
    pkill -KILL -x etcd || true
    has_ended_in 10 || { echo 'etcd does not end' >&2; exit 1; }
fi
[ ! -e "$data" ] || mv "$data" "$data.before-$1"
sync
# It would answer nobody any more, and those who have a connection to it would wait there: kubelets do so for ever.
# One that starts without etcd takes no connection.
pkill -KILL -x kube-apiserver || true
`;

/** Stops a controller's etcd member for good, and keeps its data beside, as `member-data.before-<time>`. */
export async function resetMember(controller: Controller): Promise<void> {
    await controller.run(resetScript, [new Date().toISOString().replace(/[-:]|\.\d+Z$/g, "")]);
}
