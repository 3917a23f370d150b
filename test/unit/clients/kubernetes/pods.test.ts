import assert from "node:assert/strict";
import type { Call } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import {
    evict,
    hasEnded,
    isCurrent,
    isStatic,
    restartsOf,
    startOf,
    withUid,
} from "../../../../clients/kubernetes/pods";

describe("the UID of a static pod", () => {
    const pod = { kind: "Pod", metadata: { name: "etcd" }, spec: { containers: [{ name: "etcd", args: ["--a=1"] }] } };
    const uidOf = (of: typeof pod) => (withUid(of).metadata as { uid?: string }).uid;

    it("is the same as long as the pod is", () => {
        assert.match(uidOf(pod)!, /^[0-9a-f]{32}$/);
        assert.equal(uidOf(withUid(pod)), uidOf(pod));
        assert.deepEqual({ ...withUid(pod), metadata: pod.metadata }, pod);
    });

    it("changes with anything in it", () => {
        const changed = { ...pod, spec: { containers: [{ name: "etcd", args: ["--a=2"] }] } };
        assert.notEqual(uidOf(changed), uidOf(pod));
        assert.notEqual(uidOf({ ...pod, metadata: { name: "other" } }), uidOf(pod));
    });
});

describe("a pod", () => {
    const metadata = { name: "web", namespace: "default" };

    it("is current until it has ended or is being deleted", () => {
        const phases = ["Pending", "Running", "Unknown", "Succeeded", "Failed", undefined];
        const ended = [false, false, false, true, true, false];
        assert.deepEqual(
            phases.map((phase) => hasEnded({ status: { phase } })),
            ended,
        );
        assert.deepEqual(
            phases.map((phase) => isCurrent({ metadata, status: { phase } })),
            ended.map((each) => !each),
        );
        const deletionTimestamp = "2030-01-01T00:00:00Z";
        assert.equal(isCurrent({ metadata: { ...metadata, deletionTimestamp } }), false);
    });

    it("is static if it mirrors a file of the kubelet", () => {
        assert.equal(isStatic({ metadata: { ...metadata, annotations: { "kubernetes.io/config.mirror": "" } } }), true);
        assert.equal(isStatic({ metadata }), false);
    });

    it("has the restarts of all of its containers, and the start of the first that runs", () => {
        const [early, late] = ["2030-01-01T00:00:00Z", "2030-01-01T00:00:09Z"];
        const running = (name: string, startedAt: string, restartCount?: number) =>
            ({ name, ready: true, restartCount, state: { running: { startedAt } } }) as const;
        const status = { containerStatuses: [running("a", late, 2), running("b", early), running("c", late, 1)] };
        assert.equal(restartsOf({ status }), 3);
        assert.equal(startOf({ status }), Date.parse(early));
        assert.equal(restartsOf({}), 0);
    });

    const evicted = (answer: () => unknown) => {
        const calls: [string, Call["body"]][] = [];
        const call = async <T>(path: string, { body }: Call = {}) => {
            calls.push([path, body]);
            return answer() as T;
        };
        return { state: evict({ call }, { metadata }), calls };
    };

    it("is evicted by the API", async () => {
        const { state, calls } = evicted(() => ({}));
        assert.equal(await state, "is evicted");
        const body = { apiVersion: "policy/v1", kind: "Eviction", metadata };
        assert.deepEqual(calls, [["/api/v1/namespaces/default/pods/web/eviction", body]]);
    });

    it("has ended if the API no longer has it, and stays while a budget refuses", async () => {
        const refusing = (error: Error) => () => {
            throw error;
        };
        assert.equal(await evicted(refusing(new ApiError(404, "not found"))).state, "has ended");
        const causes = ["needs 1 healthy pod"];
        const budget = new ApiError(429, "would violate the budget", "pods", causes);
        assert.equal(await evicted(refusing(budget)).state, "stays: 429: would violate the budget needs 1 healthy pod");
        await assert.rejects(evicted(refusing(new ApiError(403, "forbidden"))).state, /403: forbidden/);
    });
});
