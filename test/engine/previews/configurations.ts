import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { mapValues } from "../../../cluster/manifest";
import type { CloudName } from "../paper/clouds";
import type { StackConfig } from "./program";

const root = resolve(__dirname, "../../..");

/** A documented configuration, by path. */
export function configOf(path: string): StackConfig {
    return parse(readFileSync(join(root, path), "utf8")).config;
}

const s3 = {
    endpoint: "https://store.example.com",
    bucket: "snapshots",
    accessKeyId: "id",
    secretAccessKey: "secret-of-the-store",
    encryptionKey: Buffer.alloc(32, "k").toString("base64"),
};
/** Common to every cloud, with a controller and a pool of one. */
const shared: Readonly<Record<string, StackConfig>> = {
    "three-controllers": { controllers: 3, workerPools: [{ name: "default", count: 3 }] },
    "ingress-for-few-clients": {
        ingress: {
            httpPort: 30080,
            httpsPort: 30443,
            healthCheck: { port: 10254, path: "/healthz" },
            allowedCidrs: ["192.0.2.0/24"],
        },
    },
    "etcd-snapshots-to-s3": { etcdSnapshots: { interval: "6h", s3 } },
    "several-pools": {
        workerPools: [
            { name: "default", count: 2 },
            { name: "batch", taints: ["batch=true:NoSchedule"], labels: { "example.com/gpu": "a100" } },
            { name: "empty", count: 0 },
        ],
    },
    "etcd-in-pods": { selfHosted: { etcd: true } },
    "kubelets-in-pods": { selfHosted: { kubelet: true } },
    "other-networks": {
        vpcCidr: "172.20.4.0/23",
        podCidr: "10.64.0.0/16",
        serviceCidr: "10.65.0.0/20",
        clusterDomain: "c.internal",
        kubeProxyMode: "iptables",
    },
};

export interface Configurations {
    /** The configuration that others are compared with. */
    readonly base: StackConfig;
    /** Additions of the others, by name. */
    readonly variants: Readonly<Record<string, StackConfig>>;
    /** Documented ones, in full: by name, and their paths. */
    readonly files: Readonly<Record<string, string>>;
    /** One that is a program, whose cluster is called `program`. @default none */
    readonly program?: string;
}

/** Configurations by cloud. */
export const configurations: Readonly<Partial<Record<CloudName, Configurations>>> = {
    aws: {
        base: {
            "aws:region": "eu-central-1",
            ...own({
                cloud: "aws",
                domain: "example.com",
                workerPools: [{ name: "default" }],
            }),
        },
        files: {
            smallest: "stacks/Pulumi.aws-small.yaml",
            production: "stacks/Pulumi.aws-production.yaml",
            "pools-of-many-kinds": "examples/Pulumi.aws-pools.yaml",
            "private-nodes-for-few-clients": "examples/Pulumi.aws-private.yaml",
            "no-way-out": "examples/Pulumi.aws-isolated.yaml",
            "machines-and-permissions": "examples/Pulumi.aws-machines.yaml",
            "existing-network": "examples/Pulumi.aws-existing-network.yaml",
        },
        program: "examples/aws-program.ts",
        variants: {
            ...mapValues(shared, own),
            "cloud-init": own({ os: "cloud-init", image: "ami-0fedcba9876543210" }),
            "fedora-coreos": own({ image: "fedora-coreos-stable" }),
            "internal-api-in-a-private-zone": own({
                topology: "private",
                apiAccess: "internal",
                privateZone: "Z0123456789ABC",
            }),
            ipv6: own({ topology: "private", natGateways: "one", ipv6: true }),
            "private-nodes-behind-one-gateway": own({ topology: "private", natGateways: "one", zones: ["a", "b"] }),
        },
    },
    digitalocean: {
        base: own({
            cloud: "digitalocean",
            domain: "example.com",
            region: "fra1",
            image: 170000001,
            sshKeys: [42],
            workerPools: [{ name: "default" }],
        }),
        files: {
            small: "stacks/Pulumi.do-small.yaml",
            smallest: "stacks/Pulumi.do-smallest.yaml",
            production: "stacks/Pulumi.do-production.yaml",
            "pools-with-an-api-for-few-clients": "examples/Pulumi.do-pools.yaml",
        },
        variants: {
            ...mapValues(shared, own),
            "cloud-init": own({ image: "ubuntu-26-04-x64", os: "cloud-init", sshKeys: [] }),
            elsewhere: own({ region: "nyc3" }),
            "ipv6-without-a-load-balancer": own({
                image: "ubuntu-26-04-x64",
                os: "cloud-init",
                sshKeys: [],
                ipv6: true,
                apiLoadBalancer: false,
            }),
            "three-controllers-of-few-clients-without-a-load-balancer": own({
                apiLoadBalancer: false,
                apiAllowedCidrs: ["192.0.2.0/24"],
                controllers: 3,
            }),
            "certificates-and-keys": own({
                certificates: { generation: 2, administrator: 2, kubeletServing: "verified" },
                keys: { serviceAccount: [1, 2], encryption: ["plain", 1], frontProxyCa: [1, 2], etcdCa: [1, 2] },
            }),
            "large-disks-and-droplets": own({ controllers: { size: "s-4vcpu-8gb", etcdDiskSize: 100 } }),
        },
    },
};

function own(config: StackConfig): StackConfig {
    return Object.fromEntries(Object.entries(config).map(([key, value]) => [`tradewind:${key}`, value]));
}
