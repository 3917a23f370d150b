import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../agents/bundle";
import { bundle } from "../../ignition";
import { createBootstrap } from "../bootstrap";
import type { Credentials, Machine } from "../cluster/credentials";
import { kubeconfig } from "../cluster/kubeconfig";
import { type Cluster, nodesByPool } from "../cluster/model";
import type { ClusterOptions, EtcdSnapshotSecrets } from "../cluster/options";
import { ports } from "../cluster/ports";
import { resolveCluster } from "../cluster/resolve";
import { requireOneOf } from "../cluster/validate";
import { Addons } from "../cluster-addons";
import { EtcdCare } from "../etcd-care";
import { EtcdMembers } from "../etcd-members";
import { NodeRemoval } from "../node-removal";
import { bootstrapAssets } from "../nodes/bootstrap-assets";
import { checkConfigs } from "../nodes/check";
import type { NodeDownloads } from "../nodes/downloads";
import { Pki } from "../pki";
import { recoveryRecord } from "../recovery";
import { SelfHosted } from "../self-hosted";
import { createTokenLifetimes } from "../token-lifetimes";
import { createLoadBalancer } from "./load-balancer";
import { createMachine } from "./machine";
import { machineCommand } from "./machine-command";
import { machineConfigs } from "./machine-configs";
import { createNetwork, type LocalNetwork, localNetwork } from "./network";

export interface LocalClusterArgs extends Omit<ClusterOptions, "name"> {
    /** IPv4 block of the machines' own network: a /24 or larger that nothing else on this computer uses. */
    machineCidr: string;
    /** How the machines' OS takes its configuration: `ignition` or `cloud-init`. @default "ignition" */
    os?: string;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
    /** For `etcdSnapshots.s3`. @default none */
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
}

/** A self-hosted Kubernetes cluster on machines of this computer. */
export class LocalCluster extends pulumi.ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: pulumi.Output<string>;
    readonly apiUrl: string;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: pulumi.Output<string>;
    readonly nodes: string[];
    readonly kubernetesVersion: string;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: pulumi.Output<Record<string, string>>;

    constructor(name: string, args: LocalClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:LocalCluster", name, {}, opts);
        const { machineCidr, os = "ignition", downloads, etcdSnapshotSecrets, ...options } = args;
        const cluster = resolveCluster({ ...options, name });
        requireOneOf("os", ["ignition", "cloud-init"], os);
        checkConfigs(cluster, downloads);
        const addresses = localNetwork(cluster, machineCidr);
        const parent = { parent: this };

        const pki = createPki(name, cluster, addresses, this);
        const network = createNetwork(name, cluster, addresses, parent);
        const loadBalancer = createLoadBalancer(name, cluster, addresses, { ...parent, dependsOn: network });
        const configs = machineConfigs(cluster, addresses, downloads, pki.credentials);
        const machines = Object.fromEntries(
            Object.entries(configs).map(([node, config]) => {
                const machine = { name: node, address: addresses.machines[node]! };
                return [node, createMachine(cluster, { machine, config, os }, { ...parent, dependsOn: network })];
            }),
        );

        this.nodes = Object.keys(configs);
        this.kubernetesVersion = cluster.versions.kubernetes;
        this.apiUrl = `https://${addresses.loadBalancer}:${ports.kubeApiserver}`;
        this.ca = pki.ca;
        this.certificateExpiry = pki.expiry;
        this.kubeconfig = adminKubeconfig(cluster, this.apiUrl, pki.credentials);

        const controllers = cluster.controllers.names.map((node) => ({
            name: node,
            address: addresses.machines[node]!,
            resource: machines[node]!,
        }));
        const pivot = createBootstrap(
            name,
            {
                command: machineCommand("bootstrap run", { cluster: cluster.name, name: controllers[0]!.name }),
                assets: firstAssets(cluster, controllers[0]!, pki.credentials),
            },
            { ...parent, dependsOn: [controllers[0]!.resource, loadBalancer] },
        );
        const inCluster = { cluster, credentials: pki.credentials, deletedWith: network };
        const tokenExpiration = createTokenLifetimes(name, cluster, this);
        const { provider } = new SelfHosted(
            name,
            { ...inCluster, kubeconfig: this.kubeconfig, tokenExpiration, pivot },
            parent,
        );
        new Addons(name, { ...inCluster, provider }, parent);
        new EtcdCare(name, { ...inCluster, provider, snapshotSecrets: etcdSnapshotSecrets }, parent);
        new NodeRemoval(name, { ...inCluster, controllers, loadBalancer, provider }, parent);
        new EtcdMembers(name, { ...inCluster, controllers, provider }, parent);
        this.registerOutputs({
            kubeconfig: this.kubeconfig,
            apiUrl: this.apiUrl,
            nodes: this.nodes,
            recovery: recoveryRecord({
                options: { ...options, name },
                machines: addresses.machines,
                credentials: pki.credentials,
            }),
        });
    }
}

function createPki(
    name: string,
    cluster: Cluster,
    { machines, loadBalancer }: LocalNetwork,
    parent: pulumi.Resource,
): Pki {
    const controllers = cluster.controllers.names.map((node) => ({ name: node, address: machines[node]! }));
    const pools = Object.keys(nodesByPool(cluster));
    return new Pki(name, { cluster, controllers, apiAddresses: [loadBalancer], pools }, { parent });
}

/** The bundle that starts the cluster on its first controller. */
function firstAssets(
    cluster: Cluster,
    { name, address }: Machine,
    credentials: pulumi.Output<Credentials>,
): pulumi.Output<string> {
    const agents = { agent: bundleAgent("bootstrap"), checkpointer: bundleAgent("checkpointer") };
    return credentials.apply((secrets) =>
        JSON.stringify(bundle(bootstrapAssets(cluster, { machine: { name, address }, secrets, ...agents }))),
    );
}

function adminKubeconfig(
    cluster: Cluster,
    server: string,
    credentials: pulumi.Output<Credentials>,
): pulumi.Output<string> {
    const config = credentials.apply(({ kubernetesCa, admin }) =>
        kubeconfig({
            cluster: cluster.name,
            server,
            ca: kubernetesCa.cert,
            user: "kubernetes-admin",
            credentials: admin,
        }),
    );
    return pulumi.secret(config);
}
