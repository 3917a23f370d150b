import assert from "node:assert/strict";
import {
    clusterKeys,
    controllerKeys,
    type KeysOf,
    poolKeys,
    sharedOptions,
    splitOptions,
} from "../../../cluster/option-keys";
import type { ClusterOptions, ControllerOptions, WorkerPoolOptions } from "../../../cluster/options";

describe("tables of options", () => {
    it("split options into those in the table and the others", () => {
        const keys = { podCidr: true, dns: true } satisfies KeysOf<"podCidr" | "dns">;
        const all = { podCidr: "10.2.0.0/16", kubernetesVersion: "1.36.3", name: undefined };
        assert.deepEqual(splitOptions(all, keys), [
            { podCidr: "10.2.0.0/16" },
            { kubernetesVersion: "1.36.3", name: undefined },
        ]);
    });

    it("leave out what is only for one cloud: of the cluster, its controllers and its pools", () => {
        const options = {
            ...{ domain: "example.com", region: "eu-central-1", etcdSnapshotSecrets: {} },
            controllers: { count: 3, etcdDiskSize: 10 },
            workerPools: [{ name: "a", labels: {}, newOption: true }],
        };
        assert.deepEqual(sharedOptions(options), {
            domain: "example.com",
            controllers: { count: 3 },
            workerPools: [{ name: "a", labels: {} }],
        });
    });

    it("do not compile unless a new option is placed", () => {
        // @ts-expect-error: newOption is not placed
        clusterKeys satisfies KeysOf<keyof (ClusterOptions & New)>;
        // @ts-expect-error: newOption is not placed
        controllerKeys satisfies KeysOf<keyof (ControllerOptions & New)>;
        // @ts-expect-error: newOption is not placed
        poolKeys satisfies KeysOf<keyof (WorkerPoolOptions & New)>;
    });
});

interface New {
    readonly newOption: boolean;
}
