import { imagesWord, standbyName } from "../../../agents/etcd/member/runner";
import { withUid } from "../../../clients/kubernetes/pods";
import { type Config, config, directory, file } from "../../../ignition";
import { commandLine, withExtra } from "../../flags/check";
import type { KeyPair, Machine } from "../../keys/credentials";
import { firstKeys, keysAnnotations } from "../../keys/lists";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { forSelinux } from "../../selinux";
import { json } from "../objects";
import { type Container, confined, lastWords, type PodSpec, type Volume, type VolumeMount } from "../pod";
import { etcdImagePath, memberPath, standbyScript } from "./scripts";

/** Twice etcd's default, and still a single S3 request, which is limited to 5 GiB. */
const quotaBytes = 4 * 2 ** 30;

/** How an etcd member starts. */
export interface EtcdStart {
    readonly machine: Machine;
    /** The initial members, including itself, as `name=peerURL`. */
    readonly initialCluster: string;
    readonly initialClusterState: "new" | "existing";
}

export interface EtcdMember extends EtcdStart {
    readonly ca: string;
    readonly certificate: KeyPair;
}

/** An etcd member: a static pod, so that it needs no API, with its own certificate. */
export function etcdMember(cluster: Cluster, member: EtcdMember): Config {
    return config({
        directories: [directory(paths.etcdPki, { mode: 0o700 }), directory(paths.etcdData, { mode: 0o700 })],
        files: [
            file(`${paths.etcdPki}/ca.crt`, member.ca, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.crt`, member.certificate.cert, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.key`, member.certificate.key, { mode: 0o600 }),
            file(paths.etcdStaticPod, json(etcdStaticPod(cluster, member)), { mode: 0o600 }),
        ],
    });
}

/** URL for a member's peers. */
export function peerUrl({ address }: Machine): string {
    return `https://${address}:${ports.etcdPeer}`;
}

/** URL for a member's clients. */
export function clientUrl({ address }: Machine): string {
    return `https://${address}:${ports.etcdClient}`;
}

/** Static pod of a member: every member runs the same. */
export function etcdStaticPod(cluster: Cluster, member: EtcdStart): Manifest {
    const annotations = etcdAnnotations(cluster);
    const pod: Manifest = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
            name: "etcd",
            namespace: "kube-system",
            labels: { "k8s-app": "etcd" },
            ...(annotations && { annotations }),
        },
        spec: {
            hostNetwork: true,
            priorityClassName: priorities.node.name,
            priority: priorities.node.value,
            securityContext: { seccompProfile: { type: "RuntimeDefault" } },
            ...memberSpec(cluster, program(cluster, member)),
        },
    };
    return withUid(forSelinux(cluster, pod));
}

interface MemberProgram {
    readonly name: string;
    readonly command: readonly string[];
    /** Uses an image with a shell, with etcd's image mounted. @default only etcd's image */
    readonly hasShell?: boolean;
    /** When it counts as started. @default when it is alive */
    readonly startupProbe?: Container["startupProbe"];
    /** Volumes in addition to data, keys and program. @default none */
    readonly volumes?: readonly Volume[];
    readonly mounts?: readonly VolumeMount[];
}

function program(cluster: Cluster, member: EtcdStart): MemberProgram {
    const own = commandLine(withExtra("etcd", flags(member), cluster.extraArgs.etcd));
    return cluster.selfHosted.etcd
        ? {
              name: "etcd",
              command: ["/bin/sh", "-c", standbyScript, standbyName, memberImages(cluster), ...own],
              hasShell: true,
              ...ownStaticPod,
          }
        : { name: "etcd", command: ["etcd", ...own] };
}

/** Lets a member with a shell check whether its static pod still exists. */
export const ownStaticPod = {
    mounts: [{ name: "static-pods", mountPath: paths.staticPods, readOnly: true }],
    volumes: [{ name: "static-pods", hostPath: { path: paths.staticPods, type: "Directory" } }],
};

/** Images of a member's pod with a shell. */
export function memberImages({ images }: Cluster): string {
    return imagesWord(images.node, images.etcd);
}

/** Pod spec of a member, whatever starts it. */
export function memberSpec(
    { images }: Cluster,
    { name, command, hasShell = false, startupProbe, volumes = [], mounts = [] }: MemberProgram,
): Pick<PodSpec, "containers" | "volumes"> {
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port: ports.etcdMetrics, path } });
    const program = { name: "etcd", mountPath: etcdImagePath, readOnly: true };
    return {
        containers: [
            {
                name,
                image: hasShell ? images.node : images.etcd,
                ...lastWords,
                command: [...command],
                ...(hasShell && { env: [{ name: "PATH", value: memberPath }] }),
                resources: { requests: { cpu: "100m", memory: "100Mi" } },
                // Root without capabilities: data and keys are owned by root.
                securityContext: confined,
                // A learner is alive but not ready while it receives the data.
                startupProbe: startupProbe ?? { ...probe("/livez"), periodSeconds: 1, failureThreshold: 300 },
                livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 },
                readinessProbe: { ...probe("/readyz"), periodSeconds: 5 },
                volumeMounts: [
                    { name: "data", mountPath: paths.etcdData },
                    { name: "pki", mountPath: paths.etcdPki, readOnly: true },
                    ...(hasShell ? [program] : []),
                    ...mounts,
                ],
            },
        ],
        volumes: [
            { name: "data", hostPath: { path: paths.etcdData, type: "DirectoryOrCreate" } },
            { name: "pki", hostPath: { path: paths.etcdPki, type: "Directory" } },
            ...(hasShell ? [{ name: "etcd", image: { reference: images.etcd, pullPolicy: "IfNotPresent" } }] : []),
            ...volumes,
        ],
    };
}

/** The CAs that a member started with, if they differ from the initial ones: it reads them only once. */
export function etcdAnnotations({ keys: { etcdCa } }: Cluster): Record<string, string> | undefined {
    return keysAnnotations({ ...firstKeys, etcdCa });
}

function flags({ machine, initialCluster, initialClusterState }: EtcdStart): Record<string, string> {
    const file = (name: string) => `${paths.etcdPki}/${name}`;
    return {
        "advertise-client-urls": clientUrl(machine),
        // kube-apiserver compacts every 5 minutes; this is for when it cannot.
        "auto-compaction-mode": "periodic",
        "auto-compaction-retention": "1h",
        "cert-file": file("member.crt"),
        "client-cert-auth": "true",
        "data-dir": paths.etcdMemberData,
        "feature-gates": "InitialCorruptCheck=true",
        "initial-advertise-peer-urls": peerUrl(machine),
        "initial-cluster": initialCluster,
        "initial-cluster-state": initialClusterState,
        "key-file": file("member.key"),
        "listen-client-urls": `https://127.0.0.1:${ports.etcdClient},${clientUrl(machine)}`,
        "listen-metrics-urls": `http://127.0.0.1:${ports.etcdMetrics}`,
        "listen-peer-urls": peerUrl(machine),
        name: machine.name,
        "quota-backend-bytes": String(quotaBytes),
        "peer-cert-file": file("member.crt"),
        "peer-client-cert-auth": "true",
        "peer-key-file": file("member.key"),
        "peer-trusted-ca-file": file("ca.crt"),
        "trusted-ca-file": file("ca.crt"),
    };
}
