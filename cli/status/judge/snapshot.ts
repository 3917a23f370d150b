import { ifKnown } from "../fact";
import type { ClusterFacts } from "../facts";
import { type Finding, warning } from "../finding";

/** Hours after which the newest snapshot is old, however often they are taken. */
const oldHours = 26;

const logs = "kubectl -n kube-system logs -l k8s-app=etcd-keeper";

/** A cluster without snapshots is one that was set up so. One whose snapshots stopped is not. */
export function judgeSnapshot({ snapshot, at, api }: ClusterFacts): Finding[] {
    const { last, failure, copyFailure } = ifKnown(snapshot) ?? {};
    const hours = last ? (Date.parse(at) - Date.parse(last.at)) / 3_600_000 : 0;
    return [
        ...(failure === undefined
            ? []
            : [warning("snapshot-failed", `The last try of an etcd snapshot failed: ${failure}.`, logs)]),
        ...(copyFailure === undefined
            ? []
            : [
                  warning(
                      "snapshot-copy-failed",
                      `The last snapshot of etcd has no copy in the store: ${copyFailure}.`,
                      logs,
                  ),
              ]),
        ...(hours > oldHours
            ? [warning("snapshot-old", `The last snapshot of etcd is ${Math.round(hours)} h old.`, logs)]
            : []),
        ...("unknown" in snapshot && api.answeredBy !== undefined
            ? [warning("snapshot-unknown", `The state of the snapshots is not known: ${snapshot.unknown}.`)]
            : []),
    ];
}
