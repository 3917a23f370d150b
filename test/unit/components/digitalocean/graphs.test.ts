import type { DigitalOceanClusterArgs } from "../../../../components/digitalocean/cluster";
import { testGoldenGraphs } from "../in-cluster/golden-graphs";
import { deployDigitalOcean } from "./deploy-digitalocean";

type Options = Partial<DigitalOceanClusterArgs>;

const token = "token-of-the-cloud-controller";

const graphs: Record<string, Options> = {
    smallest: { controllers: { size: "s-1vcpu-2gb" } },
    "three-controllers": { controllers: { count: 3 }, workerPools: [{ name: "default", count: 2 }] },
    candidates: {
        controllers: { count: 3, candidates: ["default"] },
        workerPools: [{ name: "default", count: 2 }, { name: "other" }],
    },
    "several-pools": {
        workerPools: [
            { name: "small", count: 2 },
            { name: "large", size: "s-8vcpu-16gb", taints: ["batch=true:NoSchedule"] },
            { name: "empty", count: 0 },
        ],
    },
    "cloud-init": { image: "ubuntu-26-04-x64", os: "cloud-init", sshKeys: [], workerPools: [{ name: "default" }] },
    "custom-image-with-ssh-keys": {
        image: "170000002",
        sshKeys: ["42", "3b:16:bf:e4:8b:00:8b:b8:59:8c:a9:d3:f0:19:45:fa"],
        workerPools: [{ name: "default" }],
    },
    "api-for-few-clients": {
        apiAllowedCidrs: ["192.0.2.0/24", "198.51.100.7/32"],
        controllers: { count: 3 },
        workerPools: [{ name: "default" }],
    },
    "without-a-load-balancer": { apiLoadBalancer: false, controllers: { size: "s-1vcpu-2gb" } },
    "three-controllers-of-few-clients-without-a-load-balancer": {
        apiLoadBalancer: false,
        apiAllowedCidrs: ["192.0.2.0/24"],
        controllers: { count: 3 },
        workerPools: [{ name: "default" }],
    },
    "ipv6-without-a-load-balancer": {
        image: "ubuntu-26-04-x64",
        os: "cloud-init",
        sshKeys: [],
        ipv6: true,
        apiLoadBalancer: false,
        workerPools: [{ name: "default" }],
    },
    "ingress-without-a-load-balancer": {
        workerPools: [{ name: "default", count: 2 }, { name: "other" }],
        ingress: { pools: ["default"], allowedCidrs: ["192.0.2.0/24"] },
        ingressLoadBalancer: false,
    },
    "rules-of-ones-own": {
        workerPools: [{ name: "default" }],
        firewallRules: [
            { ports: "9100", sources: ["nodes"] },
            { role: "controllers", ports: "22", sources: ["192.0.2.0/24", "2001:db8::/48"] },
            { role: "workers", protocol: "udp", ports: "30000-32767", sources: ["0.0.0.0/0", "::/0"] },
            { role: "workers", protocol: "icmp", sources: ["192.0.2.0/24", "nodes"] },
        ],
    },
    "larger-balancers-backups-and-monitoring": {
        image: "ubuntu-26-04-x64",
        os: "cloud-init",
        sshKeys: [],
        workerPools: [{ name: "default" }],
        ingress: {},
        loadBalancerNodes: { api: 2, ingress: 3 },
        backups: true,
        monitoring: true,
    },
    "imported-image": {
        importedImage: { version: "43.1", url: "https://images.example/{version}.qcow2.gz", distribution: "Fedora" },
    },
    ingress: { workerPools: [{ name: "default" }], ingress: {} },
    "ingress-of-one-pool-for-few-clients": {
        workerPools: [{ name: "default" }, { name: "edge" }],
        ingress: {
            httpPort: 30080,
            httpsPort: 30443,
            healthCheck: { port: 10254, path: "/healthz" },
            pools: ["edge"],
            allowedCidrs: ["192.0.2.0/24"],
        },
    },
    "cloud-controller": {
        cloudController: true,
        cloudTokens: { cloudController: token },
        workerPools: [{ name: "default" }],
    },
    "snapshot-space": { snapshotSpace: { name: "acme-c-snapshots", region: "ams3" } },
    project: {
        project: "acme",
        workerPools: [{ name: "default" }],
        ingress: {},
        snapshotSpace: { name: "acme-c-snapshots" },
    },
    tags: { tags: ["infra", "stage:prod"], workerPools: [{ name: "default" }] },
    "small-network-elsewhere": { region: "nyc3", vpcCidr: "10.116.8.0/24", domain: "clusters.example.org" },
};

const workerPools = [{ name: "default" }];
const secretAccessKey = "secret-of-the-store";
const encryptionKey = Buffer.alloc(32, "k").toString("base64");

/** An Ignition snippet that writes a file. */
function snippet(path: string, text: string): string {
    const files = [{ path, mode: 0o644, contents: { source: `data:,${encodeURIComponent(text)}` } }];
    return JSON.stringify({ ignition: { version: "3.5.0" }, storage: { files } });
}

/** They create no other DigitalOcean resources: their changes are in nodes' configs and in the cluster. */
const changes: Record<string, Options> = {
    "etcd-snapshots-to-s3": {
        workerPools,
        etcdSnapshots: {
            interval: "6h",
            s3: { endpoint: "https://fra1.digitaloceanspaces.com", bucket: "snapshots", isEncrypted: true },
        },
        etcdSnapshotSecrets: { accessKeyId: "id-of-the-store", secretAccessKey, encryptionKey },
    },
    "component-arguments": {
        workerPools,
        // Not etcd's, which are part of the bootstrap assets.
        components: {
            kubeApiserver: { "audit-log-maxage": "30" },
            kubeControllerManager: { "terminated-pod-gc-threshold": "100" },
            kubeScheduler: { v: "4" },
            kubelet: { "max-pods": "50" },
        },
    },
    snippets: {
        controllers: { snippets: [snippet("/etc/motd", "a controller\n")] },
        workerPools: [{ name: "default", snippets: [snippet("/etc/sysctl.d/90-inotify.conf", "fs.inotify=1\n")] }],
    },
};

describe("the resources of a cluster on DigitalOcean", function () {
    this.timeout(60_000);

    testGoldenGraphs<Options>({
        cloud: "digitalocean",
        folder: __dirname,
        deploy: deployDigitalOcean,
        graphs: [graphs],
        changes: { of: { workerPools }, by: changes },
        givenSecrets: [secretAccessKey, encryptionKey, token],
    });
});
