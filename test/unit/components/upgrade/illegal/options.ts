import { dualStack } from "../../in-cluster/fixture";
import type { Situations } from "./situation";

/** What no cluster is asked for: what is wanted can't be had, or contradicts itself. And what is chosen once. */
export const illegalOptions: Situations = {
    "a version that this release does not have": { wanted: { kubernetesVersion: "1.34.6" } },
    "a version with its letter": { wanted: { kubernetesVersion: "v1.36.3" } },
    "an etcd that this release does not have": { wanted: { etcdVersion: "3.5.26" } },
    "a flag that the program does not know": {
        wanted: { components: { kubeApiserver: { "audit-log-maxsiz": "5" }, etcd: { nonsense: "1" } } },
    },
    "a flag that the wanted version does not have": {
        wanted: { kubernetesVersion: "1.35.4", components: { kubeApiserver: { "tls-curve-preferences": "X25519" } } },
    },
    "a flag that the wanted version has no more": {
        wanted: {
            kubernetesVersion: "1.36.3",
            components: { kubelet: { "pod-infra-container-image": "registry.example/pause:3.10" } },
        },
    },
    "flags that would remove a protection": {
        wanted: {
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
    "an override of what nobody looks at": { wanted: { upgradeOverrides: ["versions"] } },
    "both levels at once": { wanted: { selfHosted: { etcd: true, kubelet: true } } },
    "a level that there is not": { wanted: { selfHosted: { dns: true } as object } },
    "kubelets in pods, with a lock of one's own": {
        wanted: { selfHosted: { kubelet: true }, components: { kubelet: { "lock-file": "/run/x" } } },
    },
    "kubelets in pods that keep the lock": {
        wanted: { selfHosted: { kubelet: true }, components: { kubelet: { "exit-on-lock-contention": "false" } } },
    },
    "other addresses of pods": { wanted: { network: { podCidr: "10.64.0.0/16" } } },
    "other addresses of Services": { wanted: { network: { serviceCidr: "10.65.0.0/16" } } },
    "another domain of Services": { wanted: { network: { clusterDomain: "corp.internal" } } },
    "IPv6 that comes": { wanted: { network: dualStack } },
    "IPv6 that goes": { told: { network: dualStack }, wanted: {} },
};
