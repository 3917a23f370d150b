import type { RestoreSource } from "../../agents/etcd/keeper/restore/plan";
import type { ControllerFacts } from "./facts";
import type { Source } from "./options";

export interface Question {
    readonly controller: string;
    readonly isFirst: boolean;
    readonly from: Source;
    readonly isHeld: boolean;
    readonly facts: ControllerFacts;
}

export type Decision =
    /** A recovery that was asked for in the same way is at work, or waits for the machine. */
    | { readonly kind: "continue"; readonly id: string }
    | { readonly kind: "begin"; readonly isNew: boolean; readonly lacksMember: boolean }
    /** Etcd may be about to serve. */
    | { readonly kind: "wait"; readonly why: string };

/** What to do on a controller. @throws when it can't be recovered so, with what to do instead */
export function decide({ controller, isFirst, from, isHeld, facts }: Question): Decision {
    const { last, hasJoined, hasEtcdData, hasEtcdStaticPod, isEtcdReady } = facts;
    if (last && !last.isOver) {
        if (last.recovery === undefined) {
            throw new Error(`the cluster's first start on ${controller} has not ended: pulumi up goes on with it`);
        }
        if (last.recovery.from === from && last.recovery.isHeld === isHeld) {
            return { kind: "continue", id: last.recovery.id };
        }
    }
    if (!hasJoined && !isFirst) {
        throw new Error(
            `${controller} must have joined the cluster once to recover it, and has not: leave out --controller`,
        );
    }
    if (from !== "snapshot") {
        if (!hasEtcdData) {
            throw new Error(
                `etcd of ${controller} must have its data for --from ${from}, and has none: use --from snapshot`,
            );
        }
        if (hasEtcdStaticPod && !isEtcdReady) {
            return {
                kind: "wait",
                why:
                    `etcd of ${controller} must be ready for --from ${from}, and is not: see tradewind status. ` +
                    "If a majority of its members is gone for good, use --from snapshot",
            };
        }
    }
    return { kind: "begin", isNew: !hasJoined, lacksMember: !hasEtcdStaticPod };
}

export interface Wish {
    /** A file of this computer or the name of a snapshot. */
    readonly snapshot?: string;
    readonly isFile: boolean;
    /** Where the file will be on the controller. */
    readonly brought: string;
    /** On the controller. */
    readonly directory: string;
    readonly controller: string;
    readonly snapshots: readonly string[];
}

/** Which snapshot the controller restores from. @throws when there is none */
export function snapshotSource({ snapshot, isFile, brought, directory, controller, snapshots }: Wish): RestoreSource {
    if (snapshot !== undefined && isFile) {
        return { file: brought };
    }
    if (snapshot !== undefined && !snapshots.includes(snapshot)) {
        const there = snapshots.length > 0 ? `one of ${snapshots.join(", ")}` : "of which there is none";
        throw new Error(`--snapshot must be a file here or a snapshot of ${controller}, ${there}, got ${snapshot}`);
    }
    const name = snapshot ?? snapshots.at(-1);
    if (name === undefined) {
        throw new Error(`${controller} has no snapshot in ${directory}: give one by --snapshot FILE`);
    }
    return { file: `${directory}/${name}.db` };
}
