import { existsSync } from "node:fs";
import { join } from "node:path";
import { list, remove } from "../../../../clients/kubernetes/api-client";
import { describePassing, ifFound } from "../../../../clients/kubernetes/api-error";
import type { Lease, Node, Pod } from "../../../../clients/kubernetes/objects";
import { etcdJoinApp } from "../../../etcd/join/plan";
import { writeDurably } from "../../../harness/durable";
import { Timeout, waitFor } from "../../../harness/wait";
import { heldFile, releasedFile } from "../plan";
import type { Run, Step } from "../run";

/** A kubelet renews its lease every 10 s, and retries an unreachable API every 7 s. */
const silentSeconds = 45;

/**
 * Removes the Nodes of machines that no longer exist, whose pods would count as running forever.
 *
 * That is, Nodes that are not in the cluster's plan. A Node whose kubelet renews its lease is in use and stays.
 */
export const removeStaleNodes: Step = {
    name: "remove-stale-nodes",
    run: async (run) => {
        if (run.plan.recovery?.hasOtherNodes) {
            return "none: the cluster has machines that are not named in the stack";
        }
        const own = new Set(run.plan.recovery?.nodes);
        const nodes = await patiently(run, "the Nodes", () => list<Node>(run.api, "/api/v1/nodes"));
        const unknown = nodes.map(({ metadata }) => metadata.name).filter((name) => !own.has(name));
        const silent = await Promise.all(unknown.map((name) => isSilent(run, name)));
        const stale = unknown.filter((_, index) => silent[index]);
        const alive = unknown.filter((_, index) => !silent[index]);
        for (const name of stale) {
            await patiently(run, `Node ${name} to be removed`, () => remove(run.api, `/api/v1/nodes/${name}`));
        }
        const kept = alive.length > 0 ? `; unknown but alive, so kept: ${alive.join(", ")}` : "";
        return `${stale.length > 0 ? `removed ${stale.join(", ")}` : "none found"}${kept}`;
    },
};

/** Compares two values from the kubelet, since the machines' clocks differ. */
async function isSilent(run: Run, name: string): Promise<boolean> {
    const first = await renewed(run, name);
    const deadline = Math.min(run.deadline, performance.now() + silentSeconds * 1000);
    try {
        await waitFor(
            { ...run, deadline },
            `the kubelet of ${name}`,
            async () => ((await renewed(run, name)) === first ? "it has not renewed its lease" : undefined),
            { everyMilliseconds: 1_000 },
        );
        return false;
    } catch (error) {
        if (error instanceof Timeout) {
            return true;
        }
        throw error;
    }
}

async function renewed(run: Run, name: string): Promise<string | undefined> {
    return patiently(run, `the lease of ${name}`, async () => {
        const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
        return (await ifFound(run.api.call<Lease>(path)))?.spec?.renewTime;
    });
}

/** Retries a call while a rejection may be transient. */
async function patiently<T>(run: Run, what: string, call: () => Promise<T>): Promise<T> {
    let answer: { value: T } | undefined;
    await waitFor(run, what, async () => {
        try {
            answer = { value: await call() };
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    });
    return answer!.value;
}

/** Waits while an operator repairs the cluster's own control plane, until they release it. */
export const hold: Step = {
    name: "hold",
    run: async (run) => {
        const { directories, recovery } = run.plan;
        if (!recovery?.isHeld) {
            return "not requested";
        }
        const released = join(directories.state, releasedFile);
        if (existsSync(released)) {
            return "already released";
        }
        writeDurably(join(directories.state, heldFile), "", { mode: 0o644 });
        // Without reports: hours of them would bury everything before.
        await waitFor({ ...run, report: () => {} }, "the operator to release it", async () =>
            existsSync(released) ? undefined : `${released} does not exist`,
        );
        return "released";
    },
};

const pods = "/api/v1/namespaces/kube-system/pods";

/**
 * Makes the other controllers rejoin etcd after a restore, which made a cluster of this machine's member alone.
 *
 * Their join pods have already finished and would not run again, so they are recreated.
 */
export const readmitMembers: Step = {
    name: "readmit-members",
    run: async (run) => {
        if (run.plan.recovery?.from !== "snapshot") {
            return "not needed";
        }
        const done = new Set<string>();
        await waitFor(run, "the etcd join pods of the other controllers to be recreated", async () => {
            try {
                for (const node of await recreateMembers(run)) {
                    done.add(node);
                }
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        return done.size === 0 ? "there are no others" : `rejoining: ${[...done].sort().join(", ")}`;
    },
};

async function recreateMembers({ api, plan }: Run): Promise<string[]> {
    const found = await list<Pod>(api, `${pods}?labelSelector=k8s-app%3D${etcdJoinApp}`);
    const others = found.filter(({ spec }) => spec.nodeName !== undefined && spec.nodeName !== plan.nodeName);
    for (const { metadata } of others) {
        await remove(api, `${pods}/${metadata.name}`);
    }
    return others.map(({ spec }) => spec.nodeName!);
}
