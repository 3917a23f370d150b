import { dualStack } from "../../in-cluster/fixture";
import type { Situations } from "./situation";

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
};
