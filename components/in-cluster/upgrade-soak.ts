import * as pulumi from "@pulumi/pulumi";
import { describeError } from "../../clients/kubernetes/api-error";
import type { Manifest } from "../../cluster/manifest";
import type { Cluster } from "../../cluster/model";
import { takesHooks } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { inProgram, withUrn } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { ClusterProvider } from "../rollout/cluster-provider";
import { requireKept, soak } from "../upgrade/soak";
import { endWalk } from "../upgrade/walk";
import { type InCluster, type InClusterAfter, type Put, rollout, waitFor } from "./kubernetes-object";

/** Says up to which version of Kubernetes the control plane has soaked. */
function soakRecord({ versions }: Cluster): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "upgrade-soak", namespace: "kube-system" },
        data: { kubernetesVersion: versions.kubernetes },
    };
}

/**
 * The soak of the control plane: a record in the stack, which changes with the version of Kubernetes. A hook waits before
 * that, so an interrupted `up` goes on waiting in the next one.
 *
 * @param parts - what was rolled out
 * @returns the record: the next step must wait for it. None without a guard
 */
export function putSoak(
    { cluster, provider }: Pick<InCluster, "cluster" | "provider">,
    put: Put,
    parts: InClusterAfter["after"],
): readonly pulumi.Resource[] {
    if (cluster.upgradeGuard === undefined) return [];
    const hook = hookOf("soak", { cluster, provider }, async (api, urn) => {
        const say = (message: string) => log.info(message, withUrn(urn));
        const warn = (message: string) => log.warn(message, withUrn(urn));
        // The state may have had the controllers as they are to be before a guard took them back.
        await endWalk({ api, cluster, report: say });
        await soak({ api, cluster, say, warn });
    });
    // Not in a new cluster, nor where the guard itself is new: it has nothing to compare with.
    const hooks = hook && { hooks: { beforeUpdate: [hook] } };
    return [put(soakRecord(cluster), { ...rollout(cluster), dependsOn: waitFor(parts), ...hooks })];
}

/** Fails before a program of the control plane is changed, if the guard has taken back those before it. */
export function keptHook(args: Pick<InCluster, "cluster" | "provider">): pulumi.ResourceHook | undefined {
    return hookOf("kept", args, (api) => requireKept(api, args.cluster));
}

function hookOf(
    what: string,
    { cluster, provider }: Pick<InCluster, "cluster" | "provider">,
    act: (api: Parameters<Parameters<ClusterProvider["ask"]>[0]>[0], urn: string) => Promise<void>,
): pulumi.ResourceHook | undefined {
    if (!takesHooks() || !(provider instanceof ClusterProvider)) return undefined;
    const run = ({ urn }: pulumi.ResourceHookArgs) =>
        provider
            .ask((api) => act(api, urn))
            .catch((error) => {
                throw plainError(`${cluster.name}: ${describeError(error)}`);
            });
    return new pulumi.ResourceHook(`${cluster.name}-upgrade-guard-${what}`, inProgram(run));
}
