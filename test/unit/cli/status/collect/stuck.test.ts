import assert from "node:assert/strict";
import { endingNamespace, endingNamespaces } from "../../../../../cli/status/collect/namespaces";
import { strandedBy } from "../../../../../cli/status/collect/stranded-pods";
import type { Pod } from "../../../../../clients/kubernetes/objects";

const volume = (host: string) => ({
    metadata: { name: `pv-${host}` },
    spec: {
        claimRef: { namespace: "web", name: `data-${host}` },
        nodeAffinity: {
            required: {
                nodeSelectorTerms: [
                    { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [host] }] },
                ],
            },
        },
    },
});

const pod = (claimName: string) =>
    ({
        metadata: { name: `pod-${claimName}`, namespace: "web" },
        spec: { containers: [], volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] },
    }) as unknown as Pod;

describe("a pod waits for a volume of a missing node", () => {
    it("if the volume is tied to that node only", () => {
        const volumes = [volume("w-0"), volume("w-9"), { metadata: { name: "nfs" }, spec: {} }];
        assert.deepEqual(strandedBy([pod("data-w-0"), pod("data-w-9"), pod("other")], volumes, ["c-0", "w-0"]), [
            { namespace: "web", name: "pod-data-w-9", claim: "data-w-9", volume: "pv-w-9", node: "w-9" },
        ]);
    });
});

const now = Date.parse("2026-11-27T12:00:00Z");
const ending = {
    metadata: { name: "old", deletionTimestamp: "2026-11-27T11:00:00Z" },
    status: {
        conditions: [
            { type: "NamespaceDeletionContentFailure", status: "True", message: "conversion webhook failed\n" },
            { type: "NamespaceContentRemaining", status: "False", message: "all removed" },
        ],
    },
};

describe("a namespace whose deletion does not end", () => {
    it("has the controller's reasons", () => {
        assert.deepEqual(endingNamespace(ending, [], now), {
            name: "old",
            sinceSeconds: 3600,
            problem: "conversion webhook failed",
            definitions: [],
        });
    });

    it("names definitions whose conversion webhook has no endpoint", async () => {
        const conversion = { webhook: { clientConfig: { service: { namespace: "x", name: "hook" } } } };
        const call = async (path: string) => {
            const items = path.includes("customresourcedefinitions")
                ? [{ metadata: { name: "things.example.com" }, spec: { conversion } }, { metadata: { name: "b" } }]
                : path.includes("endpointslices")
                  ? [{ endpoints: [{ conditions: { ready: false } }] }]
                  : [ending, { metadata: { name: "default" } }];
            return { items };
        };
        const [found] = await endingNamespaces({ call: call as never }, Promise.resolve(now));
        assert.deepEqual(found!.definitions, ["things.example.com"]);
    });

    it("is not one whose deletion has just begun", async () => {
        const call = async () => ({ items: [ending] });
        const before = Promise.resolve(Date.parse("2026-11-27T11:00:30Z"));
        assert.deepEqual(await endingNamespaces({ call: call as never }, before), []);
    });
});
