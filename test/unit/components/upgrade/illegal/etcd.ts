import { etcdStatus } from "./shown-cluster";
import type { Situations } from "./situation";

const told = { kubernetesVersion: "1.36.3" };
const wanted = { ...told, etcdVersion: "3.6.16" };

/** Refused changes of etcd. Only one of them also changes the Kubernetes version. */
export const illegalEtcd: Situations = {
    "a downgrade to the previous minor version": { told: { ...told, etcdVersion: "3.7.3" }, wanted },
    "a downgrade to another major version": { told: { ...told, etcdVersion: "4.0.0" }, wanted },
    "a skipped minor version": { told: { ...told, etcdVersion: "3.4.30" }, wanted },
    "3.6 after a 3.5 that is too old": { told: { ...told, etcdVersion: "3.5.25" }, wanted },
    "the same, with another version of Kubernetes": {
        told: { kubernetesVersion: "1.35.4", etcdVersion: "3.5.25" },
        wanted,
    },
    "an unreachable member": {
        told,
        runs: [
            etcdStatus([
                { name: "c-controller-0", version: "3.6.8" },
                { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" },
            ]),
        ],
        wanted,
    },
    "other flags with an unreachable member": {
        told,
        runs: [etcdStatus([{ name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" }])],
        wanted: { ...told, components: { etcd: { "log-level": "debug" } } },
    },
};
