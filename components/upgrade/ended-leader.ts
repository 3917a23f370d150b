import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import { leaseReleaser } from "../../clients/kubernetes/ended-leader";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { knownValue } from "../pulumi/engine";
import { inProgram } from "../pulumi/hooks";

const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-controller-manager";

/** Releases the lease of an ended kube-controller-manager during the stack's own rollout of it. */
export function endedLeaderHook(cluster: Cluster, kubeconfig: pulumi.Output<string>): pulumi.ResourceHook {
    const begin = async () => {
        const text = await knownValue(kubeconfig);
        // The rollout starts after the hook, which must not wait for it.
        if (text !== undefined) void withKubeconfig(text, "tradewind-up", (api) => duringRollout(api, cluster));
    };
    return new pulumi.ResourceHook(`${cluster.name}-ended-leader`, inProgram(begin));
}

async function duringRollout(api: ApiClient, { rolloutSeconds }: Cluster): Promise<void> {
    const release = leaseReleaser(api);
    const deadline = performance.now() + rolloutSeconds * 1000;
    let before: number | undefined;
    while (performance.now() < deadline) {
        try {
            const set = await api.call<DaemonSet>(path);
            before ??= set.metadata.generation;
            if (set.metadata.generation !== before && isRolledOut(set)) return;
            await release();
        } catch {
            // The lease expires without this, too.
        }
        // Neither this nor an open connection is to keep the program running.
        api.reconnect();
        await sleep(1_000, undefined, { ref: false });
    }
}
