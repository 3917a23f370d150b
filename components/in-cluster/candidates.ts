import * as pulumi from "@pulumi/pulumi";
import { controllersConfig, demotedKey } from "../../agents/nodes/promoter/record";
import { bundleAgent } from "../../bundling/agents";
import type { Caller } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import type { Machine } from "../../cluster/keys/credentials";
import { contentHash, type Manifest } from "../../cluster/manifest";
import { nodeDemotion } from "../../cluster/manifests/nodes/node-demotion";
import {
    addressesAnnotation,
    nodePromoter,
    nodePromoterAccount,
    nodePromoterConfig,
    nodePromoterPlan,
} from "../../cluster/manifests/nodes/node-promoter";
import type { ControllerMachine } from "./etcd";
import { type InCluster, inCluster, putInOrder, rollout } from "./kubernetes-object";

interface CandidatesArgs extends InCluster {
    /** The stack's own controllers, then the candidates. */
    readonly machines: readonly ControllerMachine[];
    /** What must be healthy first. */
    readonly after: readonly pulumi.Resource[];
}

/** Replaces lost controllers by candidates, from within the cluster: docs/candidates.md. */
export const Candidates = inCluster(
    "tradewind:index:Candidates",
    ({ cluster, machines, after }: CandidatesArgs, put) => {
        putInOrder(put, nodeDemotion(cluster, bundleAgent("node-demotion")), rollout(cluster));
        const agent = bundleAgent("node-promoter");
        const known = pulumi.output(machines.map(({ name, address }) => ({ name, address })));
        const configOf = (all: readonly Machine[]) => nodePromoterConfig(nodePromoterPlan(cluster, all), agent);
        const config = put(configOf([]), {}, { data: known.apply((all) => configOf(all).data) });
        const account = nodePromoterAccount(cluster).map((manifest) => put(manifest));
        const promoter = nodePromoter(cluster, agent);
        const spec = withAnnotation(promoter, addressesAnnotation, known.apply(contentHash));
        const waves = cluster.controllers.names.length;
        put(promoter, { ...rollout(cluster, waves), dependsOn: [...after, ...account, config] }, { spec });
    },
);

/** Names of the nodes that the cluster has demoted. */
export async function demotedControllers(api: Caller): Promise<string[]> {
    const config = await ifFound(api.call<ConfigMap>(`/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`));
    const prefix = demotedKey("");
    const keys = Object.keys(config?.data ?? {}).filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
}

/** The spec of a workload with a pod annotation that may only be known later. */
function withAnnotation({ spec }: Manifest, name: string, value: pulumi.Output<string>): object {
    const { template, ...others } = spec as { template: { metadata: { annotations: Record<string, string> } } };
    const { metadata } = template;
    const annotations = { ...metadata.annotations, [name]: value };
    return { ...others, template: { ...template, metadata: { ...metadata, annotations } } };
}
