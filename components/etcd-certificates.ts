import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { LastingCredentials } from "./cluster/credentials";
import type { Cluster } from "./cluster/model";
import {
    etcdCertificateConfig,
    etcdCertificateFiles,
    etcdCertificateJob,
    etcdCertificatesProgram,
} from "./control-plane/etcd-certificates";
import { kubernetesObject } from "./kubernetes-object";

export interface EtcdCertificatesArgs {
    readonly cluster: Cluster;
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly provider: Provider;
    /** What is to be whole first. */
    readonly after: readonly pulumi.Resource[];
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Certificates and authorities of etcd's members after those that they began with: one member after another. */
export class EtcdCertificates extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdCertificatesArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdCertificates", name, {}, opts);
        const { cluster, credentials, provider, after, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const program = etcdCertificatesProgram(bundleAgent("etcd-certificates"));
        let previous = [...after, kubernetesObject(name, program, owner)];
        for (const node of cluster.controllers.names) {
            const data = pulumi.unsecret(credentials.apply((secrets) => etcdCertificateFiles(cluster, node, secrets)));
            const config = kubernetesObject(name, etcdCertificateConfig(node, {}), owner, { data });
            const dependsOn = [config, ...previous];
            previous = [kubernetesObject(name, etcdCertificateJob(cluster, node, program), { ...owner, dependsOn })];
        }
        this.registerOutputs({});
    }
}
