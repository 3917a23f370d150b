import { withUid } from "../../agents/common/static-pod-uid";
import { type Config, config, directory, file } from "../../ignition";
import { commandLine } from "../cluster/arguments";
import type { KeyPair, Machine } from "../cluster/credentials";
import { firstKeys, keysAnnotations } from "../cluster/key-lists";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { priorities } from "../cluster/priorities";
import { lastWords } from "../control-plane/pod";
import { paths } from "./paths";

/** Twice etcd's own default, and still one request of S3, which takes 5 GiB. */
const quotaBytes = 4 * 2 ** 30;

/** What an etcd member is started with. */
export interface EtcdStart {
    readonly machine: Machine;
    /** The members it starts with, itself included, as `name=peerURL`. */
    readonly initialCluster: string;
    readonly initialClusterState: "new" | "existing";
}

export interface EtcdMember extends EtcdStart {
    readonly ca: string;
    readonly certificate: KeyPair;
}

/** An etcd member: a static pod, so that it needs no API, with a certificate of its own. */
export function etcdMember(cluster: Cluster, member: EtcdMember): Config {
    return config({
        directories: [directory(paths.etcdPki, { mode: 0o700 }), directory(paths.etcdData, { mode: 0o700 })],
        files: [
            file(`${paths.etcdPki}/ca.crt`, member.ca, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.crt`, member.certificate.cert, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.key`, member.certificate.key, { mode: 0o600 }),
            file(`${paths.staticPods}/etcd.json`, `${JSON.stringify(etcdStaticPod(cluster, member), null, 2)}\n`, {
                mode: 0o600,
            }),
        ],
    });
}

/** How a member's peers reach it. */
export function peerUrl({ address }: Machine): string {
    return `https://${address}:${ports.etcdPeer}`;
}

/** How clients reach a member. */
export function clientUrl({ address }: Machine): string {
    return `https://${address}:${ports.etcdClient}`;
}

/** The pod of a member, for the kubelet's own directory: every member runs the same. */
export function etcdStaticPod(cluster: Cluster, member: EtcdStart): Manifest {
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port: ports.etcdMetrics, path } });
    const annotations = etcdAnnotations(cluster);
    return withUid({
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
            containers: [
                {
                    name: "etcd",
                    image: cluster.images.etcd,
                    ...lastWords,
                    command: ["etcd", ...commandLine(flags(member), cluster.extraArgs.etcd)],
                    resources: { requests: { cpu: "100m", memory: "100Mi" } },
                    // Root without rights: its data and keys are root's alone.
                    securityContext: {
                        allowPrivilegeEscalation: false,
                        readOnlyRootFilesystem: true,
                        capabilities: { drop: ["ALL"] },
                    },
                    // A learner is alive and not ready, for as long as it takes to get the data.
                    startupProbe: { ...probe("/livez"), periodSeconds: 1, failureThreshold: 300 },
                    livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 },
                    readinessProbe: { ...probe("/readyz"), periodSeconds: 5 },
                    volumeMounts: [
                        { name: "data", mountPath: paths.etcdData },
                        { name: "pki", mountPath: paths.etcdPki, readOnly: true },
                    ],
                },
            ],
            volumes: [
                { name: "data", hostPath: { path: paths.etcdData, type: "DirectoryOrCreate" } },
                { name: "pki", hostPath: { path: paths.etcdPki, type: "Directory" } },
            ],
        },
    });
}

/** Which authorities a member began with, where they are others than a cluster begins with: it reads them only once. */
export function etcdAnnotations({ keys: { etcdCa } }: Cluster): Record<string, string> | undefined {
    return keysAnnotations({ ...firstKeys, etcdCa });
}

function flags({ machine, initialCluster, initialClusterState }: EtcdStart): Record<string, string> {
    const file = (name: string) => `${paths.etcdPki}/${name}`;
    return {
        "advertise-client-urls": clientUrl(machine),
        // kube-apiserver compacts every 5 minutes; this is for what it leaves when it can't.
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
