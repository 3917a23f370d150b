import { dualStack } from "../../in-cluster/fixture";
import { node } from "./shown-cluster";
import type { Shown, Situations } from "./situation";

const namespace = "kube-system";
const record = (name: string, data: Record<string, object>): Shown => ({
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)])),
});
const since = "2026-12-01T00:00:00Z";
const token = { token: "abcdef", expires: since, addresses: ["10.0.0.7"], key: "k", joined: since };

/** Options that are impossible or contradictory, or cannot be changed after creation. */
export const illegalOptions: Situations = {
    "a version that this release does not have": { desired: { kubernetesVersion: "1.33.6" } },
    "a version with its letter": { desired: { kubernetesVersion: "v1.36.3" } },
    "an etcd version that this release does not support": { desired: { etcdVersion: "3.5.26" } },
    "an unknown flag": {
        desired: { components: { kubeApiserver: { "audit-log-maxsiz": "5" }, etcd: { nonsense: "1" } } },
    },
    "a flag that the desired version does not have yet": {
        desired: { kubernetesVersion: "1.35.4", components: { kubeApiserver: { "tls-curve-preferences": "X25519" } } },
    },
    "a flag that the desired version no longer has": {
        desired: {
            kubernetesVersion: "1.36.3",
            components: { kubelet: { "pod-infra-container-image": "registry.example/pause:3.10" } },
        },
    },
    "flags that would disable a protection": {
        desired: {
            components: {
                kubeApiserver: {
                    "authorization-mode": "AlwaysAllow",
                    "anonymous-auth": "false",
                    "oidc-issuer-url": "https://issuer.example",
                    "service-account-issuer": "https://issuer.example",
                    "disable-admission-plugins": "NodeRestriction",
                },
                kubelet: { "read-only-port": "10255", "node-labels": "a=b", "max-pods": "500" },
                etcd: { "client-cert-auth": "false" },
            },
            upgradeOverrides: ["flags"],
        },
    },
    "an override of an unknown check": { desired: { upgradeOverrides: ["versions"] } },
    "an unknown level": { desired: { selfHosted: { dns: true } as object } },
    "kubelets in pods, with a user-defined lock": {
        desired: { selfHosted: { kubelet: true }, components: { kubelet: { "lock-file": "/run/x" } } },
    },
    "kubelets in pods that never release the lock": {
        desired: { selfHosted: { kubelet: true }, components: { kubelet: { "exit-on-lock-contention": "false" } } },
    },
    "other pod addresses": { desired: { network: { podCidr: "10.64.0.0/16" } } },
    "other Service addresses": { desired: { network: { serviceCidr: "10.65.0.0/16" } } },
    "another Service domain": { desired: { network: { clusterDomain: "corp.internal" } } },
    "IPv6 that comes": { desired: { network: dualStack } },
    "IPv6 that goes": { reported: { network: dualStack }, desired: {} },
    "no candidates any more, while one is a controller": {
        runs: [record("controllers", { "controllers.json": { "c-a-0": { role: "controller", since, why: "lost" } } })],
        desired: {},
    },
    "a pool without the machine that joined it": {
        runs: [
            node("rack-1", { kubelet: "1.35.4", pool: "b" }),
            node("rack-2", { kubelet: "1.35.4", pool: "mine" }),
            record("joined-machines", { "rack-1": { pool: "b", ...token } }),
        ],
        desired: {},
    },
    "another storage class for Prometheus": {
        runs: [
            {
                kind: "PersistentVolumeClaim",
                metadata: { name: "prometheus", namespace },
                spec: { storageClassName: "fast", resources: { requests: { storage: "10Gi" } } },
            },
        ],
        desired: { prometheus: { storageClass: "slow" } },
    },
};
