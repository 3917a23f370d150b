import { paths } from "../../components/nodes/paths";
import type { Controller } from "./controller";

/** Seconds that the kubelet has to stop a member: one that waits for an API that hangs takes more than half a minute. */
const patience = 60;

/** The static pod goes first: a kubelet that is away, or waits, starts nothing of it again. */
const script = `set -eu
data=${paths.etcdMemberData}
rm -f ${paths.staticPods}/etcd.json
sync
for second in $(seq ${patience}); do
    pgrep -x etcd >/dev/null || break
    sleep 1
done
pkill -KILL -x etcd || true
for second in $(seq 10); do
    pgrep -x etcd >/dev/null || break
    sleep 1
done
if pgrep -x etcd >/dev/null; then
    echo 'etcd does not end' >&2
    exit 1
fi
[ ! -e "$data" ] || mv "$data" "$data.before-$1"
sync
# It would answer nobody any more, and those who have a connection to it would wait there: kubelets do so for ever.
# One that starts without etcd takes no connection.
pkill -KILL -x kube-apiserver || true
`;

/** Stops a controller's etcd member for good, and keeps its data beside, as `member-data.before-<time>`. */
export async function resetMember(controller: Controller): Promise<void> {
    await controller.run(script, [new Date().toISOString().replace(/[-:]|\.\d+Z$/g, "")]);
}
