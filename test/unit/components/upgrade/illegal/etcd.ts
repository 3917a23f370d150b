import { etcdStatus } from "./shown-cluster";
import type { Situations } from "./situation";

const reported = { kubernetesVersion: "1.36.3" };
const desired = { ...reported, etcdVersion: "3.6.16" };

/** Refused changes of etcd. Only one of them also changes the Kubernetes version. */
export const illegalEtcd: Situations = {
    "two minor versions back": { reported: { ...reported, etcdVersion: "3.8.0" }, desired },
    "the way back with an unreachable member": {
        reported: { ...reported, etcdVersion: "3.7.3" },
        runs: [
            etcdStatus([
                { name: "c-controller-0", version: "3.7.3" },
                { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" },
            ]),
        ],
        desired,
    },
    "a downgrade to another major version": { reported: { ...reported, etcdVersion: "4.0.0" }, desired },
    "a skipped minor version": { reported: { ...reported, etcdVersion: "3.4.30" }, desired },
    "3.6 after a 3.5 that is too old": { reported: { ...reported, etcdVersion: "3.5.25" }, desired },
    "the same, with another version of Kubernetes": {
        reported: { kubernetesVersion: "1.35.4", etcdVersion: "3.5.25" },
        desired,
    },
    "an unreachable member": {
        reported,
        runs: [
            etcdStatus([
                { name: "c-controller-0", version: "3.6.8" },
                { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" },
            ]),
        ],
        desired,
    },
    "other flags with an unreachable member": {
        reported,
        runs: [etcdStatus([{ name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" }])],
        desired: { ...reported, components: { etcd: { "log-level": "debug" } } },
    },
};
