import type { Shown, Situations } from "./situation";

const three = { count: 3 as const };
const withWorkers = (count: number) => ({ controllers: three, workerPools: [{ name: "a", count }] });

/** A volume of local-path-provisioner, with its claim. */
export function localVolume(node: string, claim = "data-db-0", more: object = {}): Shown {
    const values = [node];
    return {
        kind: "PersistentVolume",
        metadata: { name: `pvc-${claim}-${node}` },
        spec: {
            local: { path: "/var/lib/tradewind/local-volumes/x" },
            claimRef: { namespace: "default", name: claim },
            persistentVolumeReclaimPolicy: "Delete",
            nodeAffinity: {
                required: {
                    nodeSelectorTerms: [
                        { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values }] },
                    ],
                },
            },
            ...more,
        },
        status: { phase: "Bound" },
    };
}

const database = (nodeName: string): Shown => ({
    kind: "Pod",
    metadata: {
        name: "db-0",
        namespace: "shop",
        ownerReferences: [{ kind: "StatefulSet", name: "db", controller: true }],
    } as Shown["metadata"],
    spec: {
        nodeName,
        containers: [{ name: "db", image: "db", volumeMounts: [{ name: "data" }, { name: "scratch" }] }],
        volumes: [
            { name: "data", hostPath: { path: "/srv/db" } },
            { name: "scratch", emptyDir: {} },
        ],
    },
    status: { phase: "Running" },
});

/** Changes that take away machines with data. */
export const illegalLocalData: Situations = {
    "fewer workers": {
        reported: withWorkers(2),
        runs: [localVolume("c-a-1"), localVolume("c-a-0", "stays")],
        desired: withWorkers(1),
    },
    "no worker, and a database in a directory of the host": {
        reported: withWorkers(1),
        runs: [localVolume("c-a-0"), database("c-a-0")],
        desired: withWorkers(0),
    },
    "no such pool": {
        reported: withWorkers(1),
        runs: [localVolume("c-a-0")],
        desired: { controllers: three, workerPools: [] },
    },
    "a pool with another name": {
        reported: withWorkers(1),
        runs: [localVolume("c-a-0")],
        desired: { controllers: three, workerPools: [{ name: "b", count: 1 }] },
    },
    "one controller instead of three": {
        runs: [localVolume("c-controller-2")],
        desired: { controllers: { count: 1 } },
    },
    "another version and fewer workers": {
        reported: withWorkers(2),
        runs: [localVolume("c-a-1")],
        desired: { ...withWorkers(1), kubernetesVersion: "1.36.3" },
    },
};
