import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { NodeDownloads } from "../cluster/downloads";
import type { AdministratorCredentials } from "../cluster/keys/credentials";
import { kubeconfig } from "../cluster/kubeconfig";
import { checkConfigs } from "../cluster/machines/check";
import { requireDownloads, requireRuntimeOf } from "../cluster/machines/download-checks";
import type { Cluster } from "../cluster/model";
import { type ComponentName, requireArguments } from "./arguments";
import { type RecoveryArgs, recoveryRecord } from "./bootstrap/bootstrap";
import type { CreateProvider } from "./in-cluster";
import type { IssuedPki } from "./pki/issued";
import type { Pki } from "./pki/pki";
import { protectingWhatLasts } from "./protection";
import { requireEffect } from "./resource-options";

/** What the clusters of all clouds have in common. */
export abstract class SelfHostedCluster extends pulumi.ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    declare readonly kubeconfig: pulumi.Output<string>;
    /**
     * Identifies the cluster to Kubernetes providers: while it stays the same, none replaces its resources. It never
     * changes, and no other cluster of a domain has it.
     */
    declare readonly clusterIdentifier: string;
    /** PEM of the Kubernetes CA certificate. */
    declare readonly ca: pulumi.Output<string>;
    /** Nodes named by the stack: on AWS, controllers. */
    declare readonly nodes: string[];
    declare readonly kubernetesVersion: string;
    /** Expiry of each certificate by name: RFC 3339. */
    declare readonly certificateExpiry: pulumi.Output<Record<string, string>>;
    abstract readonly apiUrl: pulumi.Input<string>;
    #createProvider?: CreateProvider;
    #provider?: Provider;

    /** @throws if an argument has an unknown name or another type, or a resource option would be ignored */
    constructor(type: ComponentName, name: string, args: object, opts?: pulumi.ComponentResourceOptions) {
        requireEffect(opts);
        requireArguments(type, args);
        super(`tradewind:index:${type}`, name, {}, protectingWhatLasts(opts));
    }

    /**
     * Kubernetes provider for resources of your own in the cluster. They are created once the cluster is complete, and
     * deleted before it. Connects as `kubernetes-admin`, as the stack itself does.
     */
    get provider(): Provider {
        // Created on first use: each one is another process of the plugin.
        this.#provider ??= this.#createProvider!(this.clusterIdentifier);
        return this.#provider;
    }

    /** Sets the outputs above, once `apiUrl` is set. */
    protected describe(cluster: Cluster, nodes: readonly string[], { ca }: Pki, issued: IssuedPki): void {
        Object.assign(this, {
            kubeconfig: adminKubeconfig(cluster, this.apiUrl, issued.administrator),
            clusterIdentifier: cluster.zone,
            ca,
            nodes: [...nodes],
            kubernetesVersion: cluster.versions.kubernetes,
            certificateExpiry: issued.expiry,
        });
    }

    /** Records what a recovery needs, in the state only. */
    protected complete(createProvider: CreateProvider, recovery: RecoveryArgs): void {
        this.#createProvider = createProvider;
        const { kubeconfig, apiUrl, nodes } = this;
        this.registerOutputs({ kubeconfig, apiUrl, nodes, recovery: recoveryRecord(recovery) });
    }
}

/** Checks, at preview, what machines of one architecture download and boot with. */
export function checkMachines(cluster: Cluster, os: string, downloads: NodeDownloads): void {
    requireDownloads(downloads, cluster.versions.kubernetes, "amd64");
    requireRuntimeOf(os, downloads, "amd64");
    checkConfigs(cluster, downloads, os);
}

/** The administrator's kubeconfig, with the API at `server`. Secret. */
export function adminKubeconfig(
    cluster: Cluster,
    server: pulumi.Input<string>,
    credentials: pulumi.Output<AdministratorCredentials>,
): pulumi.Output<string> {
    const config = pulumi.all([server, credentials]).apply(([url, { kubernetesCa, admin }]) =>
        kubeconfig({
            cluster: cluster.name,
            server: url,
            ca: kubernetesCa.cert,
            user: `${cluster.name}-admin`,
            credentials: admin,
        }),
    );
    return pulumi.secret(config);
}
