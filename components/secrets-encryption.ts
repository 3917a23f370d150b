import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Cluster } from "./cluster/model";
import { secretsRewrite } from "./control-plane/secrets-rewrite";
import { kubernetesObjects } from "./kubernetes-object";

export interface SecretsEncryptionArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What is to have its keys first: the control plane. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * All Secrets written with the first of several keys, when every kube-apiserver has that.
 *
 * The Job stays: a key may go when the one of these keys is complete.
 */
export class SecretsEncryption extends pulumi.ComponentResource {
    constructor(name: string, args: SecretsEncryptionArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:SecretsEncryption", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        kubernetesObjects(name, secretsRewrite(cluster, bundleAgent("secrets-rewrite")), owner, [after]);
        this.registerOutputs({});
    }
}
