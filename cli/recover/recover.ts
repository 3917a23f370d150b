import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RestoreSource } from "../../agents/etcd/keeper/restore/plan";
import { bundleAgent } from "../../bundling/agents";
import { describeError } from "../../clients/kubernetes/api-error";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { kubeletPatience, memberCommand, recoveryAssets } from "../../cluster/machines/bootstrap/recovery-assets";
import { type Cluster, possibleMembers } from "../../cluster/model";
import { paths } from "../../cluster/paths";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { type Bundle, bundle } from "../../ignition";
import type { ClusterAccess } from "../reach/cluster";
import type { Controller } from "../reach/controller";
import { beginRecovery } from "./begin";
import { bringSnapshot, type SnapshotWish, snapshotIdentity } from "./bring";
import { type Decision, decide, requireLostData } from "./decide";
import { type ControllerFacts, controllerFacts } from "./facts";
import { followRecovery, observeNow } from "./follow";
import type { Source } from "./options";

interface RecoverRequest extends SnapshotWish {
    readonly cluster: Cluster;
    readonly record: RecoveryRecord;
    readonly controller: Controller;
    /** Whether there are machines whose names are not in the stack; if so, no Nodes are removed. @default false */
    readonly hasOtherNodes?: boolean;
    /** The other controllers, some of which may be lost, the arbiter, and all candidates: some may be controllers. */
    readonly others: readonly Controller[];
    readonly from: Source;
    readonly isHeld: boolean;
    /** Writes checkpoints without the stack's extra arguments. */
    readonly isPlain: boolean;
    /** With a snapshot: moves the etcd data of the other controllers aside, so that they rejoin. @default false */
    readonly isResettingOthers?: boolean;
    /** Whether the API answers. @default - it does not */
    readonly isServing?: () => Promise<boolean>;
    /** With a snapshot: replaces data with which etcd could serve. @default false */
    readonly isDiscarding?: boolean;
    /** With a snapshot, on a candidate: see `Recovery.replaces`. @default - on a controller */
    readonly replaces?: readonly string[];
    /** Called last before anything is changed. @default - nothing is */
    readonly fence?: () => Promise<void>;
    /** Seconds. */
    readonly timeout: number;
    readonly say: (line: string) => void;
}

/** Seconds to wait for etcd to become ready. */
const etcdPatience = 60;

/**
 * Recovers the control plane on a controller, or resumes a recovery. Resolves when the cluster's own one serves, or the
 * recovery is held.
 */
export async function recover(request: RecoverRequest): Promise<"over" | "held"> {
    const { controller, isHeld, timeout, say } = request;
    const { decision, facts } = await decided(request);
    const before = (await observeNow(controller)).cursor;
    if (decision.kind === "continue") {
        say(`resuming the recovery on ${controller.name} that began at ${decision.id}`);
        await controller.run("systemctl start --no-block bootstrap.service");
    } else {
        await begin(request, decision, facts);
    }
    return followRecovery(controller, { untilHeld: isHeld, timeout, print: say, cursor: before });
}

type Ready = Exclude<Decision, { kind: "wait" }>;

async function decided(request: RecoverRequest): Promise<{ decision: Ready; facts: ControllerFacts }> {
    const { cluster, controller, from, isHeld, say } = request;
    const isFirst = controller.name === cluster.controllers.names[0];
    const deadline = Date.now() + etcdPatience * 1000;
    for (let hasSaid = false; ; ) {
        const facts = await controllerFacts(controller, cluster.etcdSnapshots.directory);
        const snapshot = snapshotIdentity(request);
        const decision = decide({
            ...{ controller: controller.name, isFirst, from, isHeld, facts },
            ...(snapshot && { snapshot }),
        });
        if (decision.kind !== "wait") {
            return { decision, facts };
        }
        if (Date.now() > deadline) {
            throw new Error(decision.why);
        }
        if (!hasSaid) {
            say(`waiting up to ${etcdPatience} s for etcd on ${controller.name} to become ready`);
            hasSaid = true;
        }
        await sleep(1_000);
    }
}

async function begin(request: RecoverRequest, decision: Ready & { kind: "begin" }, facts: ControllerFacts) {
    const { controller, from, say } = request;
    if (from === "snapshot" && !request.isDiscarding && (await request.isServing?.())) {
        // Perhaps on controllers that cannot be reached from here.
        throw new Error(
            "the API answers, so etcd serves, and a snapshot would lose what was written after it; use --from api, or --discard-data to restore the snapshot anyway",
        );
    }
    const othersWithData = from === "snapshot" ? await findOtherData(request, facts) : [];
    const source = from === "snapshot" ? await bringSnapshot(request, facts.snapshots) : undefined;
    await request.fence?.();
    for (const other of othersWithData) {
        await resetMember(other);
        say(`etcd on ${other.name} is stopped and its data moved aside; it will rejoin`);
    }
    const { entries, units } = assets(request, decision, source);
    await beginRecovery(controller, { entries, units }, decision.isNew);
    const what = source && "file" in source ? ` from ${source.file}` : "";
    say(`copied ${entries.length} files to ${controller.name}${what}`);
}

/** Other controllers with etcd data: the restored member starts a new etcd cluster, which they can only join without data. */
async function findOtherData(request: RecoverRequest, own: ControllerFacts): Promise<Controller[]> {
    const { cluster, controller, others, isResettingOthers = false, isDiscarding = false, say } = request;
    const found: Controller[] = [];
    const all = new Map([[controller.name, own]]);
    const { candidates } = cluster.controllers;
    const sure = possibleMembers(cluster).length - candidates.length;
    const answers = await Promise.all(
        others.map(async (other) => {
            const facts = await controllerFacts(other, cluster.etcdSnapshots.directory).catch(() => undefined);
            return { other, facts };
        }),
    );
    for (const { other, facts } of answers) {
        if (facts === undefined) {
            const what = candidates.includes(other.name) ? "if it was a controller, recreate it" : "recreate it";
            say(
                `${other.name} does not answer: ${what}, or keep it off until you have moved ${paths.etcdMemberData} away on it`,
            );
            continue;
        }
        all.set(other.name, facts);
        if (facts.hasEtcdData) found.push(other);
    }
    // Of candidates only some have a member.
    if (!isDiscarding) requireLostData(all, Math.max(sure, found.length + (own.hasEtcdData ? 1 : 0)));
    if (found.length > 0 && !isResettingOthers) {
        throw new Error(
            `etcd on ${found.map(({ name }) => name).join(" and ")} still has data, which must be moved aside before ${controller.name} is ` +
                "restored from a snapshot: --reset-others does that, and these controllers then rejoin",
        );
    }
    return found;
}

function assets(
    request: RecoverRequest,
    { isNew, lacksMember }: { isNew: boolean; lacksMember: boolean },
    source: RestoreSource | undefined,
): Bundle {
    const { cluster, record, controller, from, isHeld, isPlain, hasOtherNodes, replaces } = request;
    const { name } = controller;
    const chosen = request.isStored
        ? "newest of the store"
        : source && "file" in source && basename(source.file, ".db");
    const snapshot = source && (snapshotIdentity(request) ?? chosen);
    const id = new Date().toISOString().replace(/[-:]|\.\d+Z$/g, "");
    return bundle(
        recoveryAssets(isPlain ? plain(cluster) : cluster, {
            machine: { name, address: record.machines[name]! },
            secrets: record.credentials,
            agent: bundleAgent("bootstrap"),
            checkpointer: bundleAgent("checkpointer"),
            nodeApprover: bundleAgent("node-approver"),
            recovery: {
                id,
                from,
                ...(snapshot && { snapshot }),
                isHeld,
                nodes: Object.keys(record.machines),
                ...(hasOtherNodes && { hasOtherNodes }),
                ...(replaces && { replaces: [...replaces] }),
            },
            isNew,
            lacksMember,
            ...(source && { restore: { source, agent: bundleAgent("etcd-keeper") } }),
        }),
    );
}

/** Without the stack's extra arguments for the control plane. */
export function plain(cluster: Cluster): Cluster {
    const none = { kubeApiserver: {}, kubeControllerManager: {}, kubeScheduler: {} };
    return { ...cluster, extraArgs: { ...cluster.extraArgs, ...none } };
}

/** Whether the API answers, so that etcd does, too. */
export async function isServing({ connection }: Pick<ClusterAccess, "connection">): Promise<boolean> {
    if (connection === undefined) return false;
    const client = clientOf(connection, "tradewind-recover");
    return client.closeAfter((api) =>
        api.call("/readyz", { timeoutMilliseconds: 5_000 }).then(
            () => true,
            () => false,
        ),
    );
}

/** Throws if there is no API to recover from, with an alternative. */
export async function requireApi({ connection }: Pick<ClusterAccess, "connection">): Promise<void> {
    if (connection === undefined) {
        throw new Error("there is no kubeconfig yet; use --from etcd");
    }
    try {
        await clientOf(connection, "tradewind-recover").call("/readyz");
    } catch (error) {
        throw new Error(
            `the API does not answer, which --from api requires (${describeError(error)}); use --from etcd or --from snapshot`,
        );
    }
}

/** The static pod is removed first, so that a stopped or waiting kubelet does not restart it. */
export const resetScript = `set -eu
data=${paths.etcdMemberData}
rm -f ${paths.etcdStaticPod}
sync
has_ended_in() {
    left=$1
    while pgrep -f '${memberCommand}' >/dev/null; do
        [ $((left -= 1)) -ge 0 ] || return 1
        sleep 1
    done
}
if ! has_ended_in ${kubeletPatience}; then
    pkill -KILL -f '${memberCommand}' || true
    has_ended_in 10 || { echo 'etcd does not end' >&2; exit 1; }
fi
[ ! -e "$data" ] || mv "$data" "$data.before-$1"
sync
# Without etcd it no longer answers, and clients with open connections to it would wait, kubelets forever.
# An apiserver that starts without etcd accepts no connections.
pkill -KILL -x kube-apiserver || true
`;

/** Stops a controller's etcd member permanently, and keeps its data as `member-data.before-<time>`. */
async function resetMember(controller: Controller): Promise<void> {
    await controller.run(resetScript, [new Date().toISOString().replace(/[-:]|\.\d+Z$/g, "")]);
}
