import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Manifest } from "./cluster/manifest";
import type { Cluster } from "./cluster/model";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface CloudAddonsArgs {
    readonly cluster: Cluster;
    readonly manifests: readonly Manifest[];
    /** Secrets that those name, and what they hold. @default none */
    readonly secrets?: readonly { readonly secret: Manifest; readonly data: pulumi.Output<Record<string, string>> }[];
    readonly provider: Provider;
    /** What has to be whole before they change: the control plane, of whose version some of them are. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** A cloud's own controllers: they look after its machines, load balancers and volumes from within the cluster. */
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
