import { describePassing, isNotFound } from "../../common/api-error";
import { Timeout, waitFor } from "../../common/wait";
import type { Run, Step } from "../run";

/** A kubelet renews its lease every 10 s, and looks for an API that was away every 7 s. */
const silentSeconds = 45;

/**
 * Removes the Nodes of machines that are gone for good: their pods would count as running for ever.
 *
 * Those are Nodes that the cluster is not made of any more. One whose kubelet renews its lease is somebody's, and stays.
 */
export const removeStaleNodes: Step = {
    name: "remove-stale-nodes",
    run: async (run) => {
        if (run.plan.recovery?.hasOtherNodes) {
            return "none: machines whose names the stack does not know are the cloud's to tell";
        }
        const own = new Set(run.plan.recovery?.nodes);
        const { items } = await patiently(run, "the Nodes", () =>
            run.api.call<{ items: { metadata: { name: string } }[] }>("/api/v1/nodes"),
        );
        const unknown = items.map(({ metadata }) => metadata.name).filter((name) => !own.has(name));
        const silent = await Promise.all(unknown.map((name) => isSilent(run, name)));
        const stale = unknown.filter((_, index) => silent[index]);
        const alive = unknown.filter((_, index) => !silent[index]);
        for (const name of stale) {
            await patiently(run, `Node ${name} to go`, () => remove(run, name));
        }
        const kept = alive.length > 0 ? `; unknown but alive, so kept: ${alive.join(", ")}` : "";
        return `${stale.length > 0 ? `removed ${stale.join(", ")}` : "there were none"}${kept}`;
    },
};

/** Compares what the kubelet wrote with what it wrote before: clocks of machines differ. */
async function isSilent(run: Run, name: string): Promise<boolean> {
    const first = await renewed(run, name);
    const deadline = Math.min(run.deadline, performance.now() + silentSeconds * 1000);
    try {
        await waitFor(
            { ...run, deadline },
            `the kubelet of ${name}`,
            async () => ((await renewed(run, name)) === first ? "it is silent" : undefined),
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
        try {
            const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
            return (await run.api.call<{ spec?: { renewTime?: string } }>(path)).spec?.renewTime;
        } catch (error) {
            if (isNotFound(error)) {
                return undefined;
            }
            throw error;
        }
    });
}

async function remove({ api }: Run, name: string): Promise<void> {
    try {
        await api.call(`/api/v1/nodes/${name}`, { method: "DELETE" });
    } catch (error) {
        if (!isNotFound(error)) {
            throw error;
        }
    }
}

/** Calls again while the refusal may be a passing one. */
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
