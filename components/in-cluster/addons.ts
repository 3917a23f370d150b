import * as pulumi from "@pulumi/pulumi";
import type { Manifest } from "../../cluster/manifest";
import { addons } from "../../cluster/manifests/addons";
import { type InClusterAfter, inCluster, putInOrder, rollout, waitFor } from "./kubernetes-object";

/**
 * Pod network, Services and cluster DNS, adopted from the bootstrap and then managed by the stack.
 *
 * flannel waits for kube-router, which may have been the pod network: docs/cni.md#change. In the other direction the engine
 * deletes flannel last of all.
 */
export const Addons = inCluster("tradewind:index:Addons", ({ cluster, after }: InClusterAfter, put) => {
    let router: pulumi.Resource[] = [];
    for (const manifest of addons(cluster)) {
        const { kind, metadata } = manifest;
        const isSet = (name: string) => kind === "DaemonSet" && metadata.name === name;
        const before = isSet("flannel") ? router : [];
        const resource = put(manifest, { ...rollout(cluster), dependsOn: waitFor(after, before) });
        if (isSet("kube-router")) router = [resource];
    }
});

/** Manifests of a cloud's controllers. */
export interface CloudManifests {
    readonly manifests: readonly Manifest[];
    /** Secrets that the manifests refer to, and their data. @default none */
    readonly secrets?: readonly { readonly secret: Manifest; readonly data: pulumi.Output<Record<string, string>> }[];
}

/**
 * A cloud's controllers, which manage its machines, load balancers and volumes from within the cluster. They wait for
 * the control plane, because some share its version.
 */
export const CloudAddons = inCluster(
    "tradewind:index:CloudAddons",
    ({ cluster, after, manifests, secrets = [] }: InClusterAfter & CloudManifests, put) => {
        const known = secrets.map(({ secret, data }) => put(secret, rollout(cluster), { data: pulumi.secret(data) }));
        putInOrder(put, manifests, rollout(cluster), waitFor(after, known));
    },
);
