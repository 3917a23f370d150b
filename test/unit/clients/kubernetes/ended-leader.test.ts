import assert from "node:assert/strict";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { hasEnded, leaseReleaser } from "../../../../clients/kubernetes/ended-leader";
import type { ContainerState, Lease, Pod } from "../../../../clients/kubernetes/objects";

const name = "kube-controller-manager";
const lease = {
    metadata: { name, resourceVersion: "7" },
    spec: {
        holderIdentity: "a_1-2",
        acquireTime: "2026-01-01T00:01:00.500000Z",
        renewTime: "2026-01-01T00:09:00.500000Z",
    },
} as Lease;
const pod = (state: ContainerState, nodeName = "a", container = name) =>
    ({
        metadata: { name: "p" },
        spec: { nodeName, containers: [{ name: container, image: "" }] },
        status: { containerStatuses: [{ name: container, ready: true, state }] },
    }) as Pod;
const since = (time: string) => ({ running: { startedAt: `2026-01-01T${time}Z` } });
const successor = pod(since("00:10:00"));

describe("the holder of kube-controller-manager's lease", () => {
    for (const [title, pods, expected] of [
        ["has ended if only a process that started later runs on its node", [successor], true],
        ["has ended if its own container has", [successor, pod({ terminated: { exitCode: 0 } })], true],
        ["may run while a process runs that had started before", [successor, pod(since("00:00:59"))], false],
        ["may run if one started in the same second", [pod(since("00:01:00"))], false],
        ["may run if the state of one is unknown", [successor, pod({})], false],
        ["may run if its node shows no process at all", [], false],
        [
            "may run if only other nodes and programs do",
            [pod(since("00:10:00"), "b"), pod(since("00:10:00"), "a", "x")],
            false,
        ],
    ] as const) {
        it(title, () => assert.equal(hasEnded(lease, pods), expected));
    }

    it("may run if its identity names no node", () => {
        assert.equal(hasEnded({ ...lease, spec: { ...lease.spec, holderIdentity: "" } }, [successor]), false);
    });
});

describe("the lease of an ended kube-controller-manager", () => {
    const call = (pods: readonly Pod[], renew: () => string) => {
        const patches: unknown[] = [];
        const api = {
            call: async (path: string, { method, body }: Call = {}) => {
                if (method === "PATCH") return patches.push(body);
                if (path.includes("/leases/")) return { ...lease, spec: { ...lease.spec, renewTime: renew() } };
                assert.match(path, /pods\?fieldSelector=spec\.nodeName%3Da$/);
                return { items: pods };
            },
        };
        return { api: api as unknown as ApiClient, patches };
    };
    /** The clock of the program, which these tests advance. */
    const at = async (milliseconds: number, act: () => Promise<unknown>) => {
        const { now } = performance;
        performance.now = () => milliseconds;
        try {
            await act();
        } finally {
            performance.now = now;
        }
    };

    it("is released once it was not renewed for 3 seconds, in the version that was seen", async () => {
        const { api, patches } = call([successor], () => "same");
        const release = leaseReleaser(api);
        await at(1_000, release);
        await at(3_900, release);
        assert.deepEqual(patches, []);
        await at(4_000, release);
        assert.deepEqual(patches, [{ metadata: { resourceVersion: "7" }, spec: { holderIdentity: "" } }]);
    });

    it("is kept while it is renewed, whatever pods look like", async () => {
        let count = 0;
        const { api, patches } = call([successor], () => String(count++));
        const release = leaseReleaser(api);
        for (const milliseconds of [1_000, 5_000, 9_000]) await at(milliseconds, release);
        assert.deepEqual(patches, []);
    });

    it("is kept while its holder may run", async () => {
        const { api, patches } = call([pod(since("00:00:01"))], () => "same");
        const release = leaseReleaser(api);
        for (const milliseconds of [1_000, 9_000]) await at(milliseconds, release);
        assert.deepEqual(patches, []);
    });

    it("may not exist yet", async () => {
        const api = { call: () => Promise.reject(new ApiError(404, "no")) } as unknown as ApiClient;
        await at(9_000, leaseReleaser(api));
    });
});
