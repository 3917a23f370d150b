import assert from "node:assert/strict";
import { type Reset, resetNode } from "../../../../cli/reset/reset";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

interface Scene {
    readonly isReady?: boolean;
    /** Of its pod: why it may not be evicted. */
    readonly budget?: string;
    readonly hasAgent?: boolean;
    /** Whether the machine reports that it is clean. @default true */
    readonly isCleaned?: boolean;
    readonly hasJoined?: boolean;
    readonly hasNode?: boolean;
    /** An earlier run recorded that the machine is clean. */
    readonly wasReset?: boolean;
    /** How the API refuses to say whether the machine is clean. */
    readonly denies?: number;
    /** How the API answers the first lists of pods. */
    readonly failures?: readonly number[];
    /** The API fails to delete pods. */
    readonly keepsPods?: boolean;
}

const entry = { pool: "a", addresses: ["10.0.0.9"], token: "abcdef", expires: "2030-01-01T00:00:00Z" };
const used = { ...entry, key: "k", joined: "2030-01-01T00:00:00Z" };

function fakeApi({
    isReady = true,
    budget,
    hasAgent = true,
    isCleaned = true,
    hasJoined = true,
    hasNode = true,
    wasReset = false,
    denies,
    failures = [],
    keepsPods = false,
}: Scene) {
    const fails = [...failures];
    const done: string[] = [];
    let pods = [pod("default", "web", "Deployment"), pod("default", "log", "DaemonSet")];
    let isRequested = false;
    const record = { ...(hasJoined ? used : entry), ...(wasReset && { reset: "2030-01-02T00:00:00Z" }) };
    const call = async (path: string, { method = "GET", body }: Call = {}): Promise<unknown> => {
        const [name = ""] = path.split("/").at(-1)!.split("?");
        if (method !== "GET") done.push(`${method} ${name} ${method === "DELETE" ? "" : JSON.stringify(body)}`.trim());
        if (name === "node-reset-x" && keepsPods) throw new ApiError(503, "no", "pods");
        if (name === "eviction") {
            if (budget) throw new ApiError(429, budget, "pods");
            pods = pods.filter(({ metadata }) => metadata.name !== "web");
            return {};
        }
        if (path.includes("labelSelector=k8s-app%3Dnode-agent")) {
            return { items: hasAgent ? [{ spec: { containers: [{ image: "node:24" }] } }] : [] };
        }
        if (name === "pods" && method === "POST") {
            isRequested = true;
            return { metadata: { name: "node-reset-x" } };
        }
        const failed = name === "pods" && method === "GET" ? fails.shift() : undefined;
        if (failed) throw new ApiError(failed, "no", "pods");
        if (name === "pods") return { items: pods };
        if (name === "joined-machines") return { metadata: {}, data: { "rack-1": JSON.stringify(record) } };
        if (name === "rack-1" && isRequested && denies) throw new ApiError(denies, "no", "nodes");
        if (name === "rack-1" && hasNode) {
            const annotations = isRequested && isCleaned ? { "tradewind.dev/reset": "done" } : {};
            const conditions = [{ type: "Ready", status: isReady ? "True" : "Unknown" }];
            return { metadata: { name, annotations }, status: { conditions } };
        }
        throw new ApiError(404, "not found", name);
    };
    return { api: { call } as unknown as ApiClient, done };
}

function pod(namespace: string, name: string, kind: string) {
    const ownerReferences = [{ kind, name: "owner", controller: true }];
    return { metadata: { namespace, name, ownerReferences }, spec: { containers: [] }, status: { phase: "Running" } };
}

async function run(scene: Scene, more: Partial<Reset> = {}) {
    const lines: string[] = [];
    const { api, done } = fakeApi(scene);
    const reset = {
        node: "rack-1",
        timeoutSeconds: 0,
        isLost: false,
        everyMilliseconds: 1,
        cleanSeconds: 0.01,
        ...more,
    };
    const end = await resetNode(api, { ...reset, log: (line) => void lines.push(line) }).catch(
        (error) => error.message,
    );
    return { end: end as string, lines, done };
}

describe("tradewind reset", () => {
    it("waits while the API does not answer, and says that the node stays cordoned if it is refused", async () => {
        const { end, lines } = await run({ failures: [503, 429] }, { timeoutSeconds: 5 });
        assert.equal(end, "rack-1 is no node any more, and nothing of the cluster is left on its machine");
        assert.deepEqual(lines.slice(0, 4), [
            "cordoned rack-1",
            "draining: waiting for the API: 503: no",
            "draining: waiting for the API: 429: no",
            "draining: default/web is evicted",
        ]);
        const denied = await run({ failures: [403] }, { timeoutSeconds: 5 });
        assert.match(denied.end, /^rack-1 was not drained: 403: no\. It stays cordoned: repeat this command/);
    });

    it("cordons, drains, has the machine clean itself, and removes its Node and its token", async () => {
        const { end, lines, done } = await run({}, { timeoutSeconds: 5 });
        assert.equal(end, "rack-1 is no node any more, and nothing of the cluster is left on its machine");
        assert.deepEqual(lines, [
            "cordoned rack-1",
            "draining: default/web is evicted",
            "cleaning the machine: its kubelet and containers stop, its certificates and state are removed",
        ]);
        const verbs = done.map((each) =>
            each
                .replace(/ \{.*(nodeName":"[^"]*").*/, " $1")
                .replace(/ \{"api.*/, "")
                .replace(/ \{.*(reset)\\":.*/, " $1"),
        );
        assert.deepEqual(verbs, [
            'PATCH rack-1 {"spec":{"unschedulable":true}}',
            "POST eviction",
            'POST pods nodeName":"rack-1"',
            "DELETE node-reset-x",
            "PATCH joined-machines reset",
            "DELETE rack-1",
            "DELETE bootstrap-token-abcdef",
            'PATCH joined-machines {"data":{"rack-1":null}}',
        ]);
    });

    it("says which pods stay and why, and cleans nothing then", async () => {
        const { end, done } = await run({ budget: "the disruption budget web needs 1 healthy pod" });
        assert.match(
            end,
            /^rack-1 was not drained within 0 s: default\/web stays: .*the disruption budget web needs 1/,
        );
        assert.match(end, /It stays cordoned: .*kubectl uncordon rack-1$/);
        assert.ok(!done.some((each) => /pods|DELETE/.test(each)), done.join("\n"));
    });

    it("says what to run on a machine that does not answer, and keeps its Node", async () => {
        for (const scene of [{ isReady: false }, { isCleaned: false }, { hasNode: false }, { hasAgent: false }]) {
            const { end, done } = await run(scene, { timeoutSeconds: 5 });
            assert.match(end, /as root: systemctl start reset-machine\.service/);
            assert.ok(!done.includes("DELETE rack-1"), done.join("\n"));
        }
    });

    it("leaves no request behind that a machine would follow later, when it may run pods again", async () => {
        for (const scene of [{ isCleaned: false }, { denies: 503 }, { denies: 403 }]) {
            const { end, done } = await run(scene, { timeoutSeconds: 5 });
            assert.match(end, /did not report|403/);
            assert.equal(done.at(-1), "DELETE node-reset-x");
        }
        const { end } = await run({ isCleaned: false, keepsPods: true }, { timeoutSeconds: 5 });
        assert.match(
            end,
            /did not report.* Otherwise delete the pod kube-system\/node-reset-x: it resets the machine$/,
        );
    });

    it("finishes where an earlier run was killed after it had deleted the Node", async () => {
        const { end, done } = await run({ hasNode: false, wasReset: true });
        assert.equal(end, "rack-1 is no node any more, and nothing of the cluster is left on its machine");
        assert.equal(done.at(-1), 'PATCH joined-machines {"data":{"rack-1":null}}');
    });

    it("gives up a lost machine, which then cannot register", async () => {
        const { end, done } = await run({ isReady: false }, { isLost: true });
        assert.match(
            end,
            /^rack-1 is no node any more, and cannot register again\. .*\n {2}systemctl start reset-machine/,
        );
        assert.match(done.at(-1)!, /^PATCH joined-machines .*removed/);
        assert.equal((await run({}, { isLost: true })).end, "rack-1 is Ready: reset it without --lost");
    });

    it("is refused for a machine that has not joined", async () => {
        assert.equal(
            (await run({ hasJoined: false })).end,
            "rack-1 has not joined yet; tradewind join-token rack-1 --revoke ends its token",
        );
    });
});
