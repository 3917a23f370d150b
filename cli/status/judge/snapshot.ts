import { ifKnown } from "../fact";
import type { ClusterFacts } from "../facts";
import { type Finding, warning } from "../finding";

/** Hours after which the newest snapshot is old, however often they are taken. */
const oldHours = 26;

/** A cluster without snapshots is one that was set up so. One whose snapshots stopped is not. */
export function judgeSnapshot({ snapshot, at }: ClusterFacts): Finding[] {
    const last = ifKnown(snapshot);
    const hours = last ? (Date.parse(at) - Date.parse(last.at)) / 3_600_000 : 0;
    if (hours <= oldHours) {
        return [];
    }
    return [
        warning(
            "snapshot-old",
            `The last snapshot of etcd is ${Math.round(hours)} h old.`,
            "See why none is taken: kubectl -n kube-system logs -l k8s-app=etcd-keeper",
        ),
    ];
}
