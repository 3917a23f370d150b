import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "../../../common/durable";
import { runEtcdutl } from "../../etcdutl";
import { defaultBumpRevision } from "../plan";
import type { Run, Step } from "../run";
import { syncTree } from "../sync-tree";

/** The new data lie beside the old ones, whole. */
export const restoreData: Step = {
    name: "restore-data",
    run: async ({ plan, places }: Run) => {
        if (existsSync(places.swapping) || existsSync(places.restored)) {
            return "the data were restored already";
        }
        const { member, initialCluster, etcdutl, id, bumpRevision = defaultBumpRevision } = plan;
        const parent = dirname(places.restoring);
        mkdirSync(parent, { recursive: true, mode: 0o700 });
        // etcdutl wants to make it.
        rmSync(places.restoring, { recursive: true, force: true });
        await runEtcdutl(etcdutl, [
            "snapshot",
            "restore",
            places.snapshot,
            `--data-dir=${places.restoring}`,
            `--name=${member.name}`,
            `--initial-advertise-peer-urls=${member.peerUrl}`,
            `--initial-cluster=${initialCluster}`,
            // Another cluster to etcd: no member of before can take part by mistake.
            `--initial-cluster-token=${id}`,
            `--bump-revision=${bumpRevision}`,
            "--mark-compacted",
        ]);
        syncTree(places.restoring);
        renameSync(places.restoring, places.restored);
        syncDirectory(parent);
        return `restored as ${member.name} of ${initialCluster}`;
    },
};
