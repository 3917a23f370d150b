import assert from "node:assert/strict";
import { resolveCluster } from "../../../../../cluster/resolve";
import {
    autoscalerTags,
    instancesOf,
    mayRefresh,
    refreshOf,
    zoneWarnings,
} from "../../../../../components/aws/machines/scaling";

const template = { id: "lt-1", version: "7" };
const [pool] = resolveCluster({
    name: "c",
    workerPools: [{ name: "a", labels: { "example.com/gpu": "a100" }, taints: ["gpu=yes:NoSchedule"] }],
}).workerPools;

describe("an Auto Scaling group", () => {
    it("makes instances of its template while there is one type, on demand", () => {
        assert.deepEqual(instancesOf({ most: 1, drainSeconds: 300, instanceTypes: ["t3.medium"] }, template), {
            launchTemplate: template,
        });
    });

    it("makes them of several types, on demand in their order", () => {
        const made = instancesOf({ most: 1, drainSeconds: 300, instanceTypes: ["m7i.large", "m6i.large"] }, template);
        assert.ok("mixedInstancesPolicy" in made);
        const { launchTemplate, instancesDistribution } = made.mixedInstancesPolicy;
        assert.deepEqual(launchTemplate, {
            launchTemplateSpecification: { launchTemplateId: "lt-1", version: "7" },
            overrides: [{ instanceType: "m7i.large" }, { instanceType: "m6i.large" }],
        });
        assert.deepEqual(instancesDistribution, {
            onDemandAllocationStrategy: "prioritized",
            onDemandBaseCapacity: 0,
            onDemandPercentageAboveBaseCapacity: 100,
            spotAllocationStrategy: "price-capacity-optimized",
        });
        assert.equal(made.capacityRebalance, undefined);
    });

    it("makes spot instances, beyond those that are to be on demand", () => {
        const spot = { onDemandBase: 2, onDemandPercentage: 25 };
        const made = instancesOf({ most: 1, drainSeconds: 300, instanceTypes: ["m7i.large"], spot }, template);
        assert.ok("mixedInstancesPolicy" in made);
        const { onDemandBaseCapacity, onDemandPercentageAboveBaseCapacity } = made.mixedInstancesPolicy
            .instancesDistribution as Record<string, unknown>;
        assert.deepEqual([onDemandBaseCapacity, onDemandPercentageAboveBaseCapacity], [2, 25]);
        assert.equal(made.capacityRebalance, true);
    });

    it("is known to cluster-autoscaler, with what its nodes would be like, if that is to scale it", () => {
        assert.deepEqual(autoscalerTags("c", pool!, { most: 1, drainSeconds: 300, instanceTypes: [] }), {});
        assert.deepEqual(
            autoscalerTags("c", pool!, { most: 1, drainSeconds: 300, instanceTypes: [], scaling: { min: 0, max: 9 } }),
            {
                "k8s.io/cluster-autoscaler/enabled": "true",
                "k8s.io/cluster-autoscaler/c": "owned",
                "k8s.io/cluster-autoscaler/node-template/label/example.com/gpu": "a100",
                "k8s.io/cluster-autoscaler/node-template/label/node.kubernetes.io/pool": "a",
                "k8s.io/cluster-autoscaler/node-template/taint/gpu": "yes:NoSchedule",
            },
        );
    });

    it("is known by its zone, too, if it has only one", () => {
        const one = { most: 1, drainSeconds: 300, instanceTypes: [], scaling: { min: 0, max: 9 } };
        const tags = autoscalerTags("c", pool!, { ...one, onlyZone: "eu-central-1b" });
        for (const label of ["topology.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone"]) {
            assert.equal(tags[`k8s.io/cluster-autoscaler/node-template/label/${label}`], "eu-central-1b");
        }
    });

    it("is warned about if it scales over several zones, next to volumes", () => {
        const group = { most: 9, drainSeconds: 300, instanceTypes: [], scaling: { min: 0, max: 9 } };
        const { scaling: _, ...fixed } = group;
        const pools = { a: group, b: { ...group, zones: ["b"] }, c: fixed } as const;
        const aws = { autoscaler: true, csiDriver: true, zones: ["a", "b"], pools } as const;
        const [warning, ...others] = zoneWarnings(aws);
        assert.match(warning!, /^pool a scales over the zones a, b, but a volume is in one zone/);
        assert.deepEqual(others, []);
        for (const more of [{ csiDriver: false }, { autoscaler: false }, { zones: ["a"] as const }]) {
            assert.deepEqual(zoneWarnings({ ...aws, ...more }), []);
        }
    });

    it("refreshes no instances during a CA rotation, which agents bring to running instances", () => {
        const may = [[1], [1, 2], [2, 1], [2]].map((kubernetesCa) =>
            mayRefresh(resolveCluster({ name: "c", keys: { kubernetesCa } })),
        );
        assert.deepEqual(may, [true, false, false, true]);
    });

    it("leaves its instances as they are, unless it is to refresh them", () => {
        assert.deepEqual(refreshOf({ most: 1, drainSeconds: 300, instanceTypes: [] }), {});
        const refresh = { min: 90, max: 120, warmupSeconds: 90 };
        const { strategy, preferences } = refreshOf({ most: 1, drainSeconds: 300, instanceTypes: [], refresh })
            .instanceRefresh!;
        assert.equal(strategy, "Rolling");
        assert.deepEqual(preferences, {
            minHealthyPercentage: 90,
            maxHealthyPercentage: 120,
            instanceWarmup: "90",
            skipMatching: true,
        });
    });
});
