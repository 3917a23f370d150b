import { snapshotTime } from "../../agents/etcd/keeper/directory";
import type { RestoreSource } from "../../agents/etcd/keeper/restore/plan";
import type { ControllerFacts } from "./facts";
import type { Source } from "./options";

export interface Question {
    readonly controller: string;
    readonly isFirst: boolean;
    readonly from: Source;
    /** Identity of the snapshot that was named. @default - any */
    readonly snapshot?: string;
    readonly isHeld: boolean;
    readonly facts: ControllerFacts;
}

export type Decision =
    /** A recovery with the same options is in progress, or waits for the machine. */
    | { readonly kind: "continue"; readonly id: string }
    | { readonly kind: "begin"; readonly isNew: boolean; readonly lacksMember: boolean }
    /** etcd may be about to become ready. */
    | { readonly kind: "wait"; readonly why: string };

/** What to do on a controller. @throws if recovery is impossible this way, with an alternative */
export function decide({ controller, isFirst, from, snapshot, isHeld, facts }: Question): Decision {
    const { last, hasJoined, hasEtcdData, hasEtcdStaticPod, isEtcdReady } = facts;
    if (last && !last.isOver) {
        if (last.recovery === undefined) {
            throw new Error(
                `the first start of the cluster on ${controller} is not complete; resume it with pulumi up`,
            );
        }
        const { snapshot: own = snapshot } = last.recovery;
        const isSame = snapshot === undefined || snapshot === own;
        if (last.recovery.from === from && isSame && last.recovery.isHeld === isHeld) {
            return { kind: "continue", id: last.recovery.id };
        }
    }
    if (!hasJoined && !isFirst) {
        throw new Error(`the kubelet of ${controller} has no valid certificate; omit --controller`);
    }
    if (from !== "snapshot") {
        if (!hasEtcdData) {
            throw new Error(`etcd on ${controller} has no data, which --from ${from} requires; use --from snapshot`);
        }
        // Without a kubelet, nothing runs etcd: it gets the first certificate back.
        if (hasEtcdStaticPod && !isEtcdReady && hasJoined) {
            return {
                kind: "wait",
                why:
                    `etcd on ${controller} is not ready, which --from ${from} requires; check tradewind status. ` +
                    "If most of its members are permanently lost, use --from snapshot",
            };
        }
    }
    return { kind: "begin", isNew: !hasJoined, lacksMember: !hasEtcdStaticPod };
}

/**
 * Refuses to replace data with which etcd serves or could serve: everything written after the snapshot would be lost.
 *
 * @param all - the facts of the controllers that answer, by name
 * @param count - of all controllers
 */
export function requireLostData(all: ReadonlyMap<string, ControllerFacts>, count: number): void {
    const able = [...all].filter(([, each]) => each.isEtcdReady || (each.hasEtcdData && each.isEtcdDataWhole));
    if (able.some(([, { isEtcdReady }]) => isEtcdReady) || able.length * 2 > count) {
        throw new Error(
            `etcd's data on ${able.map(([name]) => name).join(" and ")} is intact, and a snapshot would lose what was written ` +
                "after it; use --from etcd, or --discard-data to restore the snapshot anyway",
        );
    }
}

export interface Wish {
    /** A local file, or the name of a snapshot. */
    readonly snapshot?: string;
    readonly isFile: boolean;
    /** Where the file will be copied on the controller. */
    readonly brought: string;
    /** Snapshot directory on the controller. */
    readonly directory: string;
    readonly controller: string;
    /** Its name. Only a snapshot of it is chosen by itself: the directory may have some of other clusters. */
    readonly cluster: string;
    readonly snapshots: readonly string[];
    /** Whether snapshots are also in a store. @default false */
    readonly hasStore?: boolean;
}

/** The snapshot that the controller restores. @throws if there is none */
export function snapshotSource(wish: Wish): RestoreSource {
    const { snapshot, isFile, brought, directory, controller, cluster, snapshots, hasStore } = wish;
    if (snapshot !== undefined && isFile) {
        return { file: brought };
    }
    if (snapshot !== undefined && !snapshots.includes(snapshot)) {
        const there = snapshots.length > 0 ? `one of ${snapshots.join(", ")}` : "which has none";
        throw new Error(`--snapshot must be a local file or a snapshot on ${controller} (${there}) (got ${snapshot})`);
    }
    const own = snapshots.filter((each) => snapshotTime(cluster, each) !== undefined);
    const name = snapshot ?? own.at(-1);
    if (name === undefined) {
        throw new Error(
            `${controller} has no snapshot of ${cluster} in ${directory}; use --snapshot FILE${hasStore ? " or --store" : ""}`,
        );
    }
    return { file: `${directory}/${name}.db` };
}
