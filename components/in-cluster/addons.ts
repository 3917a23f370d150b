import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Manifest } from "../../cluster/manifest";
import { addons } from "../../cluster/manifests/addons";
import type { Cluster } from "../../cluster/model";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

interface AddonsArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What must be healthy before they change: the control plane. */
    readonly after: pulumi.Resource;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Pod network, Services and cluster DNS, adopted from the bootstrap and then managed by the stack. */
export class Addons extends pulumi.ComponentResource {
    constructor(name: string, args: AddonsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Addons", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        const owner = {
            parent: this,
            provider,
            deletedWith,
            dependsOn: after,
            customTimeouts: rolloutTimeouts(cluster),
        };
        for (const manifest of addons(cluster)) {
            kubernetesObject(name, manifest, owner);
        }
        this.registerOutputs({});
    }
}

export interface CloudAddonsArgs {
    readonly cluster: Cluster;
    readonly manifests: readonly Manifest[];
    /** Secrets that the manifests refer to, and their data. @default none */
    readonly secrets?: readonly { readonly secret: Manifest; readonly data: pulumi.Output<Record<string, string>> }[];
    readonly provider: Provider;
    /** What must be healthy before they change: the control plane, because some share its version. */
    readonly after: pulumi.Resource;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** A cloud's controllers, which manage its machines, load balancers and volumes from within the cluster. */
export class CloudAddons extends pulumi.ComponentResource {
    constructor(name: string, args: CloudAddonsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:CloudAddons", name, {}, opts);
        const { cluster, manifests, secrets = [], provider, after, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        const known = secrets.map(({ secret, data }) =>
            kubernetesObject(name, secret, owner, { data: pulumi.secret(data) }),
        );
        kubernetesObjects(name, manifests, owner, [...known, after]);
        this.registerOutputs({});
    }
}
