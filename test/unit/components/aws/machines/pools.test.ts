import assert from "node:assert/strict";
import { firstCount, mostCount, requirePool } from "../../../../../components/aws/machines/pools";
import type { AwsPoolOptions } from "../../../../../components/aws/options";

const place = { instanceType: "t3.medium", region: "eu-central-1", zones: ["a", "b", "c"] } as const;
const resolve = (pool: Partial<AwsPoolOptions>, more: object = {}) =>
    requirePool("workerPools[0]", { name: "a", ...pool }, { ...place, ...more });

describe("a worker pool on AWS", () => {
    it("is of one type, on demand, by default", () => {
        assert.deepEqual(resolve({}), { instanceTypes: ["t3.medium"], most: 1, drainSeconds: 300 });
    });

    it("is as configured", () => {
        const asked = resolve({
            instanceTypes: ["m7i.large", "m6i.large"],
            spot: {},
            min: 0,
            max: 9,
            instanceRefresh: {},
        });
        assert.deepEqual(asked, {
            instanceTypes: ["m7i.large", "m6i.large"],
            most: 9,
            drainSeconds: 300,
            spot: { onDemandBase: 0, onDemandPercentage: 0 },
            scaling: { min: 0, max: 9 },
            refresh: { min: 100, max: 110, warmupSeconds: 180 },
        });
    });

    it("is in all zones, or in some of the cluster's", () => {
        const zonesOf = ({ zones, onlyZone }: ReturnType<typeof resolve>) => [zones, onlyZone];
        assert.deepEqual(zonesOf(resolve({})), [undefined, undefined]);
        assert.deepEqual(zonesOf(resolve({}, { zones: ["b"] })), [undefined, "eu-central-1b"]);
        assert.deepEqual(zonesOf(resolve({}, { zones: [] })), [undefined, undefined]);
        assert.deepEqual(zonesOf(resolve({ zones: ["c", "a"] })), [["c", "a"], undefined]);
        assert.deepEqual(zonesOf(resolve({ zones: ["c"] })), [["c"], "eu-central-1c"]);
        for (const [zones, problem] of [
            [[], /^workerPools\[0\]\.zones must not be empty$/],
            [["a", "a"], /^workerPools\[0\]\.zones\[1\] must not be listed twice \(got a\)$/],
            [["d"], /^workerPools\[0\]\.zones\[0\] must be one of a, b, c \(got d\)$/],
        ] as const) {
            assert.throws(() => resolve({ zones: [...zones] }), { message: problem });
        }
        assert.throws(() => resolve({ zones: ["a"] }, { zones: [] }), /zones conflicts with vpcId \(got \["a"\]\)$/);
    });

    it("has its initial and maximum number of instances", () => {
        const counts = (pool: Partial<AwsPoolOptions>) =>
            [firstCount, mostCount].map((of) => of({ name: "a", ...pool }));
        assert.deepEqual(counts({}), [undefined, 1]);
        assert.deepEqual(counts({ count: 3 }), [3, 3]);
        assert.deepEqual(counts({ min: 0, max: 9 }), [0, 9]);
        assert.deepEqual(counts({ count: 3, min: 2, max: 9 }), [3, 9]);
    });

    const refused: [string, Partial<AwsPoolOptions>, RegExp][] = [
        [
            "a type and several",
            { instanceType: "t3.small", instanceTypes: ["t3.large"] },
            /^workerPools\[0\]\.instanceType conflicts with instanceTypes \(got t3\.small\)$/,
        ],
        [
            "the name of another policy",
            { name: "csi-driver" },
            /^workerPools\[0\]\.name must not be one of controller-<number>, cloud-controller, csi-driver, cluster-autoscaler, node-approver, node-cleaner, node-repairer, serving-approver, etcd-keeper \(got csi-driver\)$/,
        ],
        [
            "a controller's name",
            { name: "controller-0" },
            /^workerPools\[0\]\.name must not be one of .* \(got controller-0\)$/,
        ],
        ["no type", { instanceTypes: [] }, /^workerPools\[0\]\.instanceTypes must be 1 to 40 types \(got 0\)$/],
        [
            "a type twice",
            { instanceTypes: ["t3.large", "t3.large"] },
            /^workerPools\[0\]\.instanceTypes\[1\] must not be listed twice \(got t3\.large\)$/,
        ],
        [
            "types of two architectures",
            { instanceTypes: ["t3.large", "t4g.large"] },
            /^workerPools\[0\]\.instanceTypes\[1\] must be amd64 like the first one \(got t4g\.large\)$/,
        ],
        ["a least alone", { min: 1 }, /^workerPools\[0\]\.min requires max$/],
        ["a most alone", { max: 1 }, /^workerPools\[0\]\.max requires min$/],
        ["less at most than at least", { min: 3, max: 2 }, /^workerPools\[0\]\.max must be 3 or more \(got 2\)$/],
        ["none at most", { min: 0, max: 0 }, /^workerPools\[0\]\.max must be 1 or more \(got 0\)$/],
        [
            "another number than those between",
            { count: 5, min: 1, max: 3 },
            /^workerPools\[0\]\.count must be between min and max \(1 and 3\) \(got 5\)$/,
        ],
        [
            "too much on demand",
            { spot: { onDemandPercentage: 101 } },
            /^workerPools\[0\]\.spot\.onDemandPercentage must be a whole number from 0 to 100 \(got 101\)$/,
        ],
        [
            "more on demand than there may be",
            { count: 2, spot: { onDemandBase: 3 } },
            /^workerPools\[0\]\.spot\.onDemandBase must be a whole number from 0 to 2 \(got 3\)$/,
        ],
        [
            "a refresh that the service would refuse",
            { instanceRefresh: { minHealthyPercentage: 50, maxHealthyPercentage: 160 } },
            /^workerPools\[0\]\.instanceRefresh\.maxHealthyPercentage must be from 100 to 200, and at most 100 more .* \(got 160\)$/,
        ],
        [
            "a drain that is shorter than the service waits",
            { drainTimeout: "29s" },
            /^workerPools\[0\]\.drainTimeout must be a duration from 30s to 2h \(got 29s\)$/,
        ],
        [
            "a drain that is longer than the service waits",
            { drainTimeout: "121m" },
            /^workerPools\[0\]\.drainTimeout must be a duration from 30s to 2h \(got 121m\)$/,
        ],
        [
            "a warm-up that is none",
            { instanceRefresh: { warmup: "soon" } },
            /^workerPools\[0\]\.instanceRefresh\.warmup must be a duration of 1s or more/,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`is refused with ${what}`, () => {
            assert.throws(() => resolve(options), { message });
        });
    }
});
