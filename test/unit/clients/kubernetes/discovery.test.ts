import assert from "node:assert/strict";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { Discovery, NoSuchKind } from "../../../../clients/kubernetes/discovery";

const verbs = ["get"];
const served: Record<string, object[]> = {
    "/api/v1": [
        { name: "nodes", kind: "Node", namespaced: false, verbs },
        { name: "pods/eviction", kind: "Eviction", namespaced: true, verbs },
    ],
    "/apis/apps/v1": [{ name: "daemonsets", kind: "DaemonSet", namespaced: true, verbs }],
};

describe("the path of an object", () => {
    let asked: string[];
    let discovery: Discovery;

    beforeEach(() => {
        asked = [];
        discovery = new Discovery({
            call: async <T>(path: string) => {
                asked.push(path);
                const resources = served[path];
                if (resources === undefined) throw new ApiError(404, "not found");
                return { resources } as T;
            },
        });
    });

    const set = (namespace?: string) => ({
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "a:b", ...(namespace && { namespace }) },
    });

    it("follows from its kind, and is asked for once", async () => {
        assert.equal(await discovery.path(set("kube-system")), "/apis/apps/v1/namespaces/kube-system/daemonsets/a%3Ab");
        assert.equal(await discovery.path(set()), "/apis/apps/v1/namespaces/default/daemonsets/a%3Ab");
        const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n0" } };
        assert.equal(await discovery.path(node), "/api/v1/nodes/n0");
        assert.deepEqual(asked, ["/apis/apps/v1", "/api/v1"]);
    });

    it("is unknown for a kind or a group that is not served yet, and then asked for again", async () => {
        for (const [apiVersion, kind] of [
            ["v1", "Eviction"],
            ["x.example/v1", "Drill"],
        ] as const) {
            const object = { apiVersion, kind, metadata: { name: "a" } };
            const message = `no matches for kind ${kind} in version ${apiVersion}`;
            await assert.rejects(discovery.path(object), { name: NoSuchKind.name, message });
            await assert.rejects(discovery.path(object), NoSuchKind);
        }
        assert.equal(asked.length, 4);
    });
});
