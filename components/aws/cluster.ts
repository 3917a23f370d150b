import * as pulumi from "@pulumi/pulumi";
import { adminKubeconfig } from "../admin-kubeconfig";
import { deliverBootstrap } from "../bootstrap-delivery";
import { ingressName } from "../cluster/ingress";
import { nodesByPool } from "../cluster/model";
import type { EtcdSnapshotSecrets } from "../cluster/options";
import { createInCluster } from "../in-cluster";
import { clusterApiServer } from "../nodes/api-server";
import { receiverName } from "../nodes/bootstrap-receiver";
import { checkConfigs } from "../nodes/check";
import { Pki } from "../pki";
import { recoveryRecord } from "../recovery";
import { createConfigStore } from "./config-store";
import { createControllers } from "./controllers";
import { createDns } from "./dns";
import { createImage } from "./image";
import { createIngress } from "./ingress";
import { createLoadBalancer } from "./load-balancer";
import { createNetwork } from "./network";
import type { AwsOptions } from "./options";
import { clusterOptions, resolveAws } from "./resolve";
import { apiClientsOf, createSecurity } from "./security";
import { clusterTags } from "./tags";
import { createWorkers } from "./workers";

export interface AwsClusterArgs extends AwsOptions {
    /** For `etcdSnapshots.s3`. @default none */
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
}

/** A self-hosted Kubernetes cluster on AWS. */
export class AwsCluster extends pulumi.ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: pulumi.Output<string>;
    readonly apiUrl: pulumi.Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: pulumi.Output<string>;
    /** The controllers' nodes. Workers take their names from AWS. */
    readonly nodes: string[];
    readonly kubernetesVersion: string;
    /** DNS name of what takes ingress, for names of yours to point to. @default there is none */
    readonly ingressName?: string;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: pulumi.Output<Record<string, string>>;

    constructor(name: string, args: AwsClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:AwsCluster", name, {}, opts);
        const { downloads, etcdSnapshotSecrets, ...options } = args;
        const { cluster, aws } = resolveAws(name, options);
        checkConfigs(cluster, downloads);
        const parent = { parent: this };
        const tags = clusterTags(cluster, aws);

        const pki = new Pki(
            name,
            { cluster, pools: Object.keys(nodesByPool(cluster)), receiverName: receiverName(cluster) },
            parent,
        );
        const network = createNetwork(name, aws, tags, parent);
        const { ingress } = aws;
        const letIn = { apiClients: apiClientsOf(aws, network), ingress };
        const security = createSecurity(name, network.vpc.id, letIn, tags, parent);
        const store = createConfigStore(name, tags, parent);
        const { balancer, listener, attach } = createLoadBalancer(name, network, security, tags, parent);
        const record = createDns(cluster, { balancer, hasIngress: ingress !== undefined }, parent);
        const targetGroups = ingress ? createIngress(name, { balancer, network, ingress }, tags, parent) : [];
        const machines = { cluster, downloads, machineCidr: aws.vpcCidr.text, joining: pki.joining };
        const image = createImage(name, aws.image, parent);
        const nodes = { ...machines, aws, image, network, security, store, tags };
        const instances = createControllers(nodes, parent);
        const targets = Object.entries(instances).map(([node, { id }]) => attach(node, id));
        createWorkers(nodes, targetGroups, parent);
        const controllers = Object.entries(instances).map(([node, instance]) => ({
            name: node,
            address: instance.privateIp,
            resource: instance,
        }));
        const { credentials, expiry } = pki.issue({ controllers, apiAddresses: [] });

        this.nodes = [...cluster.controllers.names];
        this.kubernetesVersion = cluster.versions.kubernetes;
        this.ingressName = ingress && ingressName(cluster);
        this.apiUrl = pulumi.output(clusterApiServer(cluster));
        this.ca = pki.ca;
        this.certificateExpiry = expiry;
        this.kubeconfig = adminKubeconfig(cluster, this.apiUrl, credentials);

        const first = controllers[0]!;
        const pivot = deliverBootstrap(
            name,
            { cluster, server: this.apiUrl, first, credentials },
            // Not before there is such a name: one that was looked for too early is remembered as missing.
            { ...parent, dependsOn: [first.resource, record, listener, ...targets] },
        );
        const inCluster = { cluster, credentials, kubeconfig: this.kubeconfig, deletedWith: network.vpc };
        createInCluster(
            name,
            { ...inCluster, controllers, loadBalancer: listener, pivot, snapshotSecrets: etcdSnapshotSecrets },
            this,
        );
        const addresses = controllers.map(({ name: node, address }) => [node, address]);
        this.registerOutputs({
            kubeconfig: this.kubeconfig,
            apiUrl: this.apiUrl,
            nodes: this.nodes,
            recovery: recoveryRecord({
                options: { ...clusterOptions(options), name },
                machines: Object.fromEntries(addresses),
                credentials,
            }),
        });
    }
}
