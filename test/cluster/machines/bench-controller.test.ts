import assert from "node:assert/strict";
import { controllerBoot } from "../../../dev/bench/control-plane/contenders";

describe("the controller of the benchmarks", () => {
    it("gets the same as from the stack", async () => {
        const { node, config, assets, kubeconfig } = await controllerBoot("bench-boot", "10.117.7.0/24");
        assert.equal(node, "bench-boot-controller-0");
        assert.ok(JSON.parse(config).ignition.version);
        assert.ok(assets.units.includes("bootstrap.service"));
        assert.ok(assets.entries.some(({ path }) => path.endsWith("/bootstrap.js")));
        assert.match(kubeconfig, /https:\/\/10\.117\.7\.3:6443/);
    });
});
