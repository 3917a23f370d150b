import { requireDuration } from "./duration";
import type { EtcdSnapshots } from "./model";
import type { EtcdSnapshotOptions } from "./options";
import { invalid } from "./validate";

/** Most snapshots to keep: a listing of more is slow, and the oldest are of no use. */
const maxKeep = 10_000;

/** Validates the options of snapshots and fills in the defaults. */
export function resolveEtcdSnapshots(options: EtcdSnapshotOptions): EtcdSnapshots {
    const { interval = "1h", keep = 24, maxAge, directory = "/var/lib/tradewind/etcd-snapshots" } = options;
    if (!Number.isInteger(keep) || keep < 1 || keep > maxKeep) {
        throw invalid("etcdSnapshots.keep", `a whole number from 1 to ${maxKeep}`, keep);
    }
    if (!/^(\/[\w.-]+){2,}$/.test(directory) || /\/\.\.?(\/|$)/.test(directory)) {
        throw invalid("etcdSnapshots.directory", "an absolute path of two or more plain names", directory);
    }
    // etcd and the kubelet keep their own order there.
    const [reserved] = ["/var/lib/etcd", "/var/lib/kubelet", "/etc/kubernetes"].filter((path) =>
        `${directory}/`.startsWith(`${path}/`),
    );
    if (reserved) {
        throw invalid("etcdSnapshots.directory", `outside ${reserved}`, directory);
    }
    return {
        intervalSeconds: requireDuration("etcdSnapshots.interval", interval, "1m"),
        keep,
        ...(maxAge !== undefined && { maxAgeSeconds: requireDuration("etcdSnapshots.maxAge", maxAge, "1h") }),
        directory,
    };
}
