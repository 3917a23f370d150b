import * as pulumi from "@pulumi/pulumi";
import { createBootstrap } from "../bootstrap";
import type { Credentials } from "../cluster/credentials";
import { kubeconfig } from "../cluster/kubeconfig";
import type { Cluster } from "../cluster/model";
import type { ClusterOptions } from "../cluster/options";
import { ports } from "../cluster/ports";
import { resolveCluster } from "../cluster/resolve";
import { requireOneOf } from "../cluster/validate";
import { Addons } from "../cluster-addons";
import { EtcdMembers } from "../etcd-members";
import { NodeRemoval } from "../node-removal";
import { checkConfigs } from "../nodes/check";
import type { NodeDownloads } from "../nodes/downloads";
import { Pki } from "../pki";
import { SelfHosted } from "../self-hosted";
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
        const { machineCidr, os = "ignition", downloads } = args;
        const cluster = resolveCluster({ ...args, name });
        requireOneOf("os", ["ignition", "cloud-init"], os);
        checkConfigs(cluster, downloads);
        const addresses = localNetwork(cluster, machineCidr);
        const parent = { parent: this };

        const pki = createPki(name, cluster, addresses, this);
        const network = createNetwork(name, cluster, addresses, parent);
        const loadBalancer = createLoadBalancer(name, cluster, addresses, { ...parent, dependsOn: network });
        const configs = machineConfigs(cluster, addresses, downloads, pki.credentials);
        const machines = Object.entries(configs).map(([node, config]) => {
            const machine = { name: node, address: addresses.machines[node]! };
            return createMachine(cluster, { machine, config, os }, { ...parent, dependsOn: network });
        });

        this.nodes = Object.keys(configs);
        this.kubernetesVersion = cluster.versions.kubernetes;
        this.apiUrl = `https://${addresses.loadBalancer}:${ports.kubeApiserver}`;
        this.ca = pki.ca;
        this.certificateExpiry = pki.expiry;
        this.kubeconfig = adminKubeconfig(cluster, this.apiUrl, pki.credentials);

        const first = { cluster: cluster.name, name: cluster.controllers.names[0]! };
        const pivot = createBootstrap(
            name,
            { waitCommand: machineCommand("bootstrap wait", first) },
            { ...parent, dependsOn: [machines[0]!, loadBalancer] },
        );
        const inCluster = { cluster, credentials: pki.credentials, deletedWith: machines[0]! };
        const { provider } = new SelfHosted(name, { ...inCluster, kubeconfig: this.kubeconfig, pivot }, parent);
        new Addons(name, { cluster, provider, deletedWith: machines[0]! }, parent);
        const controllers = cluster.controllers.names.map((node) => ({
            name: node,
            address: addresses.machines[node]!,
        }));
        new NodeRemoval(name, { cluster, controllers, loadBalancer, provider, deletedWith: machines[0]! }, parent);
        if (cluster.controllers.names.length > 1) {
            const controllers = cluster.controllers.names.map((node, index) => ({
                name: node,
                address: addresses.machines[node]!,
                // The configs begin with the controllers'.
                resource: machines[index]!,
            }));
            new EtcdMembers(name, { ...inCluster, controllers, provider }, parent);
        }
        this.registerOutputs({ kubeconfig: this.kubeconfig, apiUrl: this.apiUrl, nodes: this.nodes });
    }
}

function createPki(
    name: string,
    cluster: Cluster,
    { machines, loadBalancer }: LocalNetwork,
    parent: pulumi.Resource,
): Pki {
    const controllers = cluster.controllers.names.map((node) => ({ name: node, address: machines[node]! }));
    const pools = {
        controller: controllers.length,
        ...Object.fromEntries(cluster.workerPools.map((pool) => [pool.name, pool.nodes.length])),
    };
    return new Pki(name, { cluster, controllers, apiAddresses: [loadBalancer], pools }, { parent });
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
