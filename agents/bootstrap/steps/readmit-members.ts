import { describePassing, isNotFound } from "../../common/api-error";
import { waitFor } from "../../common/wait";
import { etcdJoinApp } from "../../node-removal/pods";
import type { Run, Step } from "../run";

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName?: string };
}

const pods = "/api/v1/namespaces/kube-system/pods";

/**
 * Has the other controllers join etcd again, which a restore made a cluster of this machine's member alone.
 *
 * What admits a controller did so long ago, and would not look again: its pod is made anew.
 */
export const readmitMembers: Step = {
    name: "readmit-members",
    run: async (run) => {
        if (run.plan.recovery?.from !== "snapshot") {
            return "not needed";
        }
        const done = new Set<string>();
        await waitFor(run, "those that admit the other controllers to be made anew", async () => {
            try {
                for (const node of await makeAnew(run)) {
                    done.add(node);
                }
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        return done.size === 0 ? "there are no others" : `to join again: ${[...done].sort().join(", ")}`;
    },
};

async function makeAnew({ api, plan }: Run): Promise<string[]> {
    const { items } = await api.call<{ items: Pod[] }>(`${pods}?labelSelector=k8s-app%3D${etcdJoinApp}`);
    const others = items.filter(({ spec }) => spec.nodeName !== undefined && spec.nodeName !== plan.nodeName);
    for (const { metadata } of others) {
        try {
            await api.call(`${pods}/${metadata.name}`, { method: "DELETE" });
        } catch (error) {
            if (!isNotFound(error)) {
                throw error;
            }
        }
    }
    return others.map(({ spec }) => spec.nodeName!);
}
