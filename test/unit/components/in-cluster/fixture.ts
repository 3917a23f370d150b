import * as pulumi from "@pulumi/pulumi";
import type { NodeDownloads } from "../../../../cluster/downloads";
import type { Credentials, KeyPair, Machine } from "../../../../cluster/keys/credentials";
import type { Manifest } from "../../../../cluster/manifest";
import { selfHostedPod } from "../../../../cluster/manifests/control-plane";
import type { ComponentPod } from "../../../../cluster/manifests/control-plane/component-pod";
import type { CredentialHolder } from "../../../../cluster/manifests/control-plane/secrets";
import { tokenHolders, tokenKey } from "../../../../cluster/manifests/nodes/bootstrap-tokens";
import type { PodSpec } from "../../../../cluster/manifests/pod";
import { type Cluster, nodesByPool, possibleMembers } from "../../../../cluster/model";
import type { ClusterOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import type { IssuedToken } from "../../../../components/pki/issued";
import { type Config, diffable } from "../../../../ignition";

/** Networks of a cluster with IPv6 in addition to IPv4. */
export const dualStack = { podCidr6: "fd00:10:2::/56", serviceCidr6: "fd00:10:3::/112" };

/** A cluster with fixed versions and images, so that golden files do not change with the lock file. */
export function fixedCluster(options: Partial<ClusterOptions> = {}): Cluster {
    const cluster = resolveCluster({ name: "c", ...options });
    const images = Object.keys(cluster.images).map((name) => [name, `registry.example/${name}:v1`]);
    return {
        ...cluster,
        versions: { kubernetes: "1.99.0", etcd: "1.99.0", cniPlugins: "1.99.0" },
        images: Object.fromEntries(images),
    };
}

/** The same with two workers that may become controllers, and a third that may not. */
export function withCandidates(options: Partial<ClusterOptions> = {}): Cluster {
    return fixedCluster({
        controllers: { count: 3, candidates: ["default"] },
        workerPools: [{ name: "default", count: 2 }, { name: "other" }],
        ...options,
    });
}

/** The same with programs of a version, even one that this release does not support. */
export function versionedCluster(version: string, options: Partial<ClusterOptions> = {}): Cluster {
    const cluster = fixedCluster(options);
    const image = (name: string) => `registry.example/${name}:v${version}`;
    return {
        ...cluster,
        versions: { ...cluster.versions, kubernetes: version as never },
        images: {
            ...cluster.images,
            kubeApiserver: image("kube-apiserver"),
            kubeControllerManager: image("kube-controller-manager"),
            kubeScheduler: image("kube-scheduler"),
        },
    };
}

/** Recognizable credentials, all different. */
export function fakeCredentials(cluster: Cluster): Credentials {
    const names = {
        kubernetesCa: "kubernetes CA",
        etcdCa: "etcd CA",
        frontProxyCa: "front proxy CA",
        apiserver: "apiserver",
        apiserverKubeletClient: "apiserver kubelet client",
        apiserverEtcdClient: "apiserver etcd client",
        frontProxyClient: "front proxy client",
        controllerManager: "controller manager",
        scheduler: "scheduler",
        admin: "admin",
        nodeApprover: "node approver",
        firstKubelet: "first kubelet",
    };
    const pairs = Object.fromEntries(Object.entries(names).map(([field, name]) => [field, fakePair(name)])) as Record<
        keyof typeof names,
        KeyPair
    >;
    const nodes = Object.values(nodesByPool(cluster)).flat();
    return {
        ...pairs,
        serviceAccount: {
            publicKey: pem("PUBLIC KEY", "service account"),
            privateKey: pem("PRIVATE KEY", "service account"),
        },
        etcdMembers: Object.fromEntries(
            possibleMembers(cluster).map((node) => [node, fakePair(`etcd member ${node}`)]),
        ),
        bootstrapTokens: Object.fromEntries(
            nodes.map((node, index) => [node, `abcde${index}.0123456789abcde${index}`]),
        ),
    };
}

/** Credentials of all machines, with expired tokens. */
export function fakeTokens(cluster: Cluster): IssuedToken[] {
    const { bootstrapTokens } = fakeCredentials(cluster);
    return tokenHolders(cluster, bootstrapTokens).map((holder) => ({
        ...holder,
        token: pulumi.secret(bootstrapTokens[tokenKey(holder)]!),
        end: pulumi.output("2030-01-01T00:00:00Z"),
    }));
}

function fakePair(name: string): KeyPair {
    return { cert: pem("CERTIFICATE", name), key: pem("PRIVATE KEY", name) };
}

function pem(label: string, name: string): string {
    return `-----BEGIN ${label}-----\n${name}\n-----END ${label}-----\n`;
}

export const downloads: NodeDownloads = {
    kubelet: {
        urls: ["http://mirror.example:8080/kubelet", "https://dl.example/kubelet"],
        sha256: "1".repeat(64),
    },
    cniPlugins: { urls: ["http://mirror.example:8080/cni-plugins.tgz"], sha256: "2".repeat(64) },
    registryMirror: "http://mirror.example:5000",
};

/** The first controller, at its address in the local stack. */
export function firstController({ controllers }: Cluster): Machine {
    return { name: controllers.names[0]!, address: "10.0.0.11" };
}

/** A config as reviewable text: paths, modes and contents. */
export function readable(config: Config): string {
    return Object.entries(diffable(config))
        .map(([path, text]) => `==> ${path} <==\n${text}`)
        .join("\n");
}

/** The pod spec of a manifest with pods. */
export function podSpecOf({ kind, spec }: Manifest): PodSpec | undefined {
    if (kind === "Pod") return spec as PodSpec;
    return (spec as { template?: { spec: PodSpec } } | undefined)?.template?.spec;
}

/** A Secret's contents as text. */
export function decoded({ data }: Manifest): Record<string, string> {
    const entries = Object.entries(data as Record<string, string>);
    return Object.fromEntries(entries.map(([name, text]) => [name, Buffer.from(text, "base64").toString()]));
}

/** A component's generation with some credentials. */
export function componentPodOf(cluster: Cluster, holder: CredentialHolder): ComponentPod {
    return selfHostedPod(cluster, holder, fakeCredentials(cluster));
}
