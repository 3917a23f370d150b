import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { lastWords } from "../../../../components/rollout/cluster-provider";

const metadata = { name: "web", namespace: "n" };
const selector = { matchLabels: { app: "web" } };
const crashed = {
    metadata: { name: "web-1" },
    status: {
        containerStatuses: [{ name: "main", state: { terminated: { exitCode: 1, reason: "Error", message: "no" } } }],
    },
};

describe("the last words of a rollout", () => {
    const said = async (kind: string, pods: object[], events: object[] = []) => {
        const asked: string[] = [];
        const call = async (path: string) => {
            asked.push(decodeURIComponent(path));
            return { items: path.includes("/events") ? events : pods };
        };
        const words = await lastWords({ call } as unknown as ApiClient, { kind, metadata, spec: { selector } });
        return { asked, words };
    };

    it("are those of its pods", async () => {
        const { asked, words } = await said("DaemonSet", [crashed]);
        assert.deepEqual(words, ['pod "web-1", container "main": last ended with exit code 1 (Error): no']);
        assert.deepEqual(asked, ["/api/v1/namespaces/n/pods?labelSelector=app=web"]);
    });

    it("of a Job are those of the pods with its name", async () => {
        assert.deepEqual((await said("Job", [crashed])).asked, [
            "/api/v1/namespaces/n/pods?labelSelector=job-name=web",
        ]);
    });

    it("explain why there are no pods", async () => {
        const event = (kind: string, name: string, message: string) => ({ message, involvedObject: { kind, name } });
        const events = [event("ReplicaSet", "web-5d", "exceeded quota"), event("ReplicaSet", "other-5d", "else")];
        assert.deepEqual((await said("Deployment", [], events)).words, ["no pod can be created: exceeded quota"]);
        assert.deepEqual((await said("DaemonSet", [], events)).words, []);
    });

    it("are nothing of an object without pods", async () => {
        const api = { call: () => Promise.reject(new Error("not asked")) } as unknown as ApiClient;
        assert.deepEqual(await lastWords(api, { kind: "ConfigMap", metadata }), []);
    });
});
