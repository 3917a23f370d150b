import assert from "node:assert/strict";
import type { ApiObject, PersistentVolume, Pod } from "../../../../clients/kubernetes/objects";
import { localData } from "../../../../components/upgrade/local-data";
import { localVolume } from "./illegal/local-data";

const node = (name: string, labels: Record<string, string> = {}): ApiObject => ({
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
});
const zone = { "topology.ebs.csi.aws.com/zone": "eu-central-1a" };
const nodes = [node("a", zone), node("b")];

const volume = (more: object = {}, phase = "Bound") =>
    ({ ...localVolume("a", "data", more), status: { phase } }) as unknown as PersistentVolume;
const on = (key: string, value: string, field = "matchExpressions", operator = "In") => ({
    nodeAffinity: { required: { nodeSelectorTerms: [{ [field]: [{ key, operator, values: [value] }] }] } },
});

/** What a removal of the node `a` loses. */
function lost(volumes: readonly PersistentVolume[], pods: readonly Pod[] = []): string[] {
    return localData([nodes[0]!], nodes, volumes, pods).flatMap(({ claims, pods: paths }) => [...claims, ...paths]);
}

describe("volumes that a removed machine takes with it", () => {
    const nothing: string[] = [];
    const cases: readonly [string, PersistentVolume, readonly string[]][] = [
        ["a local volume of its node", volume(), ["default/data"]],
        ["one of another node", volume(on("kubernetes.io/hostname", "b")), nothing],
        ["one by the field of the node's name", volume(on("metadata.name", "a", "matchFields")), ["default/data"]],
        ["one of a driver with a label of its own", volume(on("topology.topolvm.io/node", "a")), ["default/data"]],
        ["one of a zone, though this is its only node", volume(on(Object.keys(zone)[0]!, "eu-central-1a")), nothing],
        [
            "one of any node but this one",
            volume(on("kubernetes.io/hostname", "a", "matchExpressions", "NotIn")),
            nothing,
        ],
        ["one that both nodes reach", volume(twoNodes()), nothing],
        ["one that no claim has had", volume({}, "Available"), nothing],
        ["one that is deleted with its claim", volume({}, "Released"), nothing],
        [
            "one that outlived its claim on purpose",
            volume({ persistentVolumeReclaimPolicy: "Retain" }, "Released"),
            ["pvc-data-a (a volume without a claim)"],
        ],
        ["a network volume", volume({ nodeAffinity: undefined, nfs: {} }), nothing],
    ];
    for (const [what, each, expected] of cases) {
        it(`${expected.length > 0 ? "include" : "do not include"} ${what}`, () => {
            assert.deepEqual(lost([each]), expected);
        });
    }

    it("include a path of the host without an affinity, where its pod runs", () => {
        const floating = volume({ nodeAffinity: undefined, hostPath: { path: "/srv/x" } });
        const claims = [{ name: "x", persistentVolumeClaim: { claimName: "data" } }];
        assert.deepEqual(lost([floating], [pod({ volumes: claims })]), ["default/data"]);
        assert.deepEqual(lost([floating], [pod({ volumes: claims, nodeName: "b" })]), nothing);
    });
});

function twoNodes() {
    const term = (value: string) => on("kubernetes.io/hostname", value).nodeAffinity.required.nodeSelectorTerms;
    return { nodeAffinity: { required: { nodeSelectorTerms: [...term("a"), ...term("b")] } } };
}

interface PodOptions {
    readonly volumes: readonly object[];
    readonly nodeName?: string;
    readonly owner?: string;
    readonly readOnly?: boolean;
    readonly namespace?: string;
    readonly phase?: string;
}

function pod({
    volumes,
    nodeName = "a",
    owner = "StatefulSet",
    readOnly = false,
    namespace = "default",
    phase = "Running",
}: PodOptions): Pod {
    const volumeMounts = volumes.map((each) => ({ name: (each as { name: string }).name, readOnly }));
    return {
        metadata: { name: "db-0", namespace, ownerReferences: [{ kind: owner, name: "db", controller: true }] },
        spec: { nodeName, volumes, containers: [{ name: "db", image: "", volumeMounts }] },
        status: { phase },
    } as unknown as Pod;
}

describe("directories of pods that a removed machine takes with it", () => {
    const data = { name: "data", hostPath: { path: "/srv/db" } };
    const scratch = { name: "scratch", emptyDir: {} };
    const claim = { name: "claim", persistentVolumeClaim: { claimName: "data" } };
    const path = (text: string, type?: string) => ({ name: "data", hostPath: { path: text, type } });
    const written = "default/db-0 (/srv/db)";
    const cases: readonly [string, PodOptions, readonly string[]][] = [
        ["a path of the host", { volumes: [data] }, [written]],
        ["that of a Deployment's pod", { volumes: [data], owner: "ReplicaSet" }, [written]],
        ["one that is only read", { volumes: [data], readOnly: true }, []],
        ["those of a DaemonSet", { volumes: [data], owner: "DaemonSet" }, []],
        ["those of kube-system", { volumes: [data], namespace: "kube-system" }, []],
        ["those of a pod that has ended", { volumes: [data], phase: "Succeeded" }, []],
        ["a socket", { volumes: [path("/srv/db", "Socket")] }, []],
        ["a directory of the OS", { volumes: [path("/var/lib/kubelet/pods")] }, []],
        ["the root directory", { volumes: [path("/")] }, []],
        [
            "a directory whose name begins like one of the OS",
            { volumes: [path("/database")] },
            ["default/db-0 (/database)"],
        ],
        [
            "a StatefulSet's only directory, which has no claim",
            { volumes: [scratch] },
            ["default/db-0 (emptyDir scratch)"],
        ],
        ["a StatefulSet's directory next to its claim", { volumes: [scratch, claim] }, []],
        ["a Deployment's temporary directory", { volumes: [scratch], owner: "ReplicaSet" }, []],
        ["one in memory", { volumes: [{ name: "scratch", emptyDir: { medium: "Memory" } }] }, []],
    ];
    for (const [what, options, expected] of cases) {
        it(`${expected.length > 0 ? "include" : "do not include"} ${what}`, () => {
            assert.deepEqual(lost([], [pod(options)]), expected);
        });
    }
});
