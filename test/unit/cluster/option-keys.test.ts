import assert from "node:assert/strict";
import { type KeysOf, splitOptions } from "../../../cluster/option-keys";

describe("lists of option keys", () => {
    interface Options {
        readonly podCidr?: string;
        readonly dns?: string;
    }

    it("split options into those in the list and the others", () => {
        const keys = { podCidr: true, dns: true } satisfies KeysOf<keyof Options>;
        const all = { podCidr: "10.2.0.0/16", kubernetesVersion: "1.36.3", name: undefined };
        assert.deepEqual(splitOptions(all, keys), [
            { podCidr: "10.2.0.0/16" },
            { kubernetesVersion: "1.36.3", name: undefined },
        ]);
    });

    it("do not compile without every key", () => {
        // @ts-expect-error: dns is missing
        const keys = { podCidr: true } satisfies KeysOf<keyof Options>;
        assert.deepEqual(Object.keys(keys), ["podCidr"]);
    });
});
