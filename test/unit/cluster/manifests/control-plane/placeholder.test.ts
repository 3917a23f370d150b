import assert from "node:assert/strict";
import { manifestKey } from "../../../../../cluster/manifest";
import { controlPlane } from "../../../../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../../../../cluster/manifests/control-plane/placeholder";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";

describe("placeholder credentials", () => {
    const cluster = fixedCluster({ controllers: { count: 3 }, workerPools: [{ name: "a" }] });

    it("have every field of real ones", () => {
        const fields = (value: object): unknown =>
            Object.fromEntries(
                Object.entries(value).map(([key, each]) => [key, typeof each === "string" ? "" : fields(each)]),
            );
        const { bootstrapTokens, ...others } = placeholderCredentials(cluster);
        const { bootstrapTokens: realTokens, ...realOthers } = fakeCredentials(cluster);
        assert.deepEqual(others, fields(realOthers));
        assert.deepEqual(Object.keys(bootstrapTokens), Object.keys(realTokens));
    });

    it("make the objects that real ones make, in the same order: a preview names them by these", () => {
        const keys = (secrets: Parameters<typeof controlPlane>[1]) => controlPlane(cluster, secrets).map(manifestKey);
        assert.deepEqual(keys(placeholderCredentials(cluster)), keys(fakeCredentials(cluster)));
    });
});
