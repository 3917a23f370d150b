import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveCluster } from "../../../components/cluster/resolve";
import { madeAnewByPool } from "../../../components/made-anew";
import { resolved } from "../deploy";

const cluster = resolveCluster({ name: "c", controllers: { count: 3 }, workerPools: [{ name: "a", count: 2 }] });

describe("what machines boot with that are made anew", () => {
    const of = (madeAnew: string[], config = "config") =>
        madeAnewByPool(cluster, madeAnew, (node) => [pulumi.secret(`${config} of ${node}`), "image"]);

    it("is told for the pools that have any", () => {
        assert.deepEqual(Object.keys(of([])), []);
        assert.deepEqual(Object.keys(of(["c-a-1"])), ["a"]);
        assert.deepEqual(Object.keys(of(["c-a-1", "c-a-0", "c-controller-2"])), ["controller", "a"]);
    });

    it("is another text when any of it is, and tells none of it", async () => {
        const text = async (config: string) => resolved(of(["c-a-1"], config).a!);
        assert.match(await text("config"), /^[0-9a-f]{16}$/);
        assert.equal(await text("config"), await text("config"));
        assert.notEqual(await text("config"), await text("another"));
        assert.equal(await pulumi.isSecret(of(["c-a-1"]).a!), false);
    });
});
