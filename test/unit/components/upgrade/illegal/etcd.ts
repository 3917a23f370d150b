import { etcdStatus } from "./shown-cluster";
import type { Situations } from "./situation";

const told = { kubernetesVersion: "1.36.3" };
const wanted = { ...told, etcdVersion: "3.6.16" };

/** Changes of etcd that are refused, with Kubernetes' own version unchanged but for one. */
export const illegalEtcd: Situations = {
    "back to the minor version before": { told: { ...told, etcdVersion: "3.7.3" }, wanted },
    "back to another major version": { told: { ...told, etcdVersion: "4.0.0" }, wanted },
    "a minor version is skipped": { told: { ...told, etcdVersion: "3.4.30" }, wanted },
    "3.6 after a 3.5 that is too old": { told: { ...told, etcdVersion: "3.5.25" }, wanted },
    "the same, with another version of Kubernetes": {
        told: { kubernetesVersion: "1.35.4", etcdVersion: "3.5.25" },
        wanted,
    },
    "a member that does not answer": {
        told,
        runs: [
            etcdStatus([
                { name: "c-controller-0", version: "3.6.8" },
                { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" },
            ]),
        ],
        wanted,
    },
    "other flags while a member does not answer": {
        told,
        runs: [etcdStatus([{ name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" }])],
        wanted: { ...told, components: { etcd: { "log-level": "debug" } } },
    },
};
