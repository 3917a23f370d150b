import { type Config, config, directory, file } from "../../ignition";
import { commandLine } from "../cluster/arguments";
import type { KeyPair, Machine } from "../cluster/credentials";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { paths } from "./paths";

export interface EtcdMember {
    readonly machine: Machine;
    readonly ca: string;
    readonly certificate: KeyPair;
    /** The members it starts with, itself included, as `name=peerURL`. */
    readonly initialCluster: string;
    readonly initialClusterState: "new" | "existing";
}

/** An etcd member: a static pod, so that it needs no API, with a certificate of its own. */
export function etcdMember(cluster: Cluster, member: EtcdMember): Config {
    return config({
        directories: [directory(paths.etcdPki, { mode: 0o700 }), directory(paths.etcdData, { mode: 0o700 })],
        files: [
            file(`${paths.etcdPki}/ca.crt`, member.ca, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.crt`, member.certificate.cert, { mode: 0o600 }),
            file(`${paths.etcdPki}/member.key`, member.certificate.key, { mode: 0o600 }),
            file(`${paths.staticPods}/etcd.json`, `${JSON.stringify(staticPod(cluster, member), null, 2)}\n`, {
                mode: 0o600,
            }),
        ],
    });
}

/** How a member's peers reach it. */
export function peerUrl({ address }: Machine): string {
    return `https://${address}:${ports.etcdPeer}`;
}

function staticPod(cluster: Cluster, member: EtcdMember): Manifest {
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port: ports.etcdMetrics, path } });
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "etcd", namespace: "kube-system", labels: { "k8s-app": "etcd" } },
        spec: {
            hostNetwork: true,
            priorityClassName: "system-node-critical",
            priority: 2000001000,
            securityContext: { seccompProfile: { type: "RuntimeDefault" } },
            containers: [
                {
                    name: "etcd",
                    image: cluster.images.etcd,
                    command: ["etcd", ...commandLine(flags(member), cluster.extraArgs.etcd)],
                    resources: { requests: { cpu: "100m", memory: "100Mi" } },
                    // Root without rights: its data and keys are root's alone.
                    securityContext: {
                        allowPrivilegeEscalation: false,
                        readOnlyRootFilesystem: true,
                        capabilities: { drop: ["ALL"] },
                    },
                    startupProbe: { ...probe("/readyz"), periodSeconds: 1, failureThreshold: 300 },
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
    };
}

function flags({ machine, initialCluster, initialClusterState }: EtcdMember): Record<string, string> {
    const file = (name: string) => `${paths.etcdPki}/${name}`;
    const clientUrl = `https://${machine.address}:${ports.etcdClient}`;
    return {
        "advertise-client-urls": clientUrl,
        "cert-file": file("member.crt"),
        "client-cert-auth": "true",
        "data-dir": `${paths.etcdData}/member-data`,
        "feature-gates": "InitialCorruptCheck=true",
        "initial-advertise-peer-urls": peerUrl(machine),
        "initial-cluster": initialCluster,
        "initial-cluster-state": initialClusterState,
        "key-file": file("member.key"),
        "listen-client-urls": `https://127.0.0.1:${ports.etcdClient},${clientUrl}`,
        "listen-metrics-urls": `http://127.0.0.1:${ports.etcdMetrics}`,
        "listen-peer-urls": peerUrl(machine),
        name: machine.name,
        "peer-cert-file": file("member.crt"),
        "peer-client-cert-auth": "true",
        "peer-key-file": file("member.key"),
        "peer-trusted-ca-file": file("ca.crt"),
        "trusted-ca-file": file("ca.crt"),
    };
}
