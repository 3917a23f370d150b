import assert from "node:assert/strict";
import { desiredCniPlugins } from "../../../../../../agents/nodes/node-agent/cni-plugins/plugins";
import { newerPlugins, olderPlugins } from "../example";

describe("a node's desired CNI plugins", () => {
    const plan = { cniPlugins: olderPlugins, otherCniPlugins: [newerPlugins] };

    it("are its pool's, unless its annotation names other pinned ones", () => {
        assert.equal(desiredCniPlugins(plan, undefined), olderPlugins);
        assert.equal(desiredCniPlugins(plan, newerPlugins.sha256), newerPlugins);
        assert.equal(desiredCniPlugins(plan, newerPlugins.sha256.slice(0, 12)), newerPlugins);
        assert.equal(desiredCniPlugins(plan, olderPlugins.sha256), olderPlugins);
    });

    it("are none if the annotation names plugins that are not pinned, or is too short", () => {
        for (const named of ["3".repeat(64), "2".repeat(11), `${newerPlugins.sha256}2`]) {
            assert.deepEqual(desiredCniPlugins(plan, named), {
                refusal: `the node's CNI plugins annotation must be one of 111111111111, 222222222222 (got ${named})`,
            });
        }
        assert.ok("refusal" in desiredCniPlugins({ cniPlugins: olderPlugins }, newerPlugins.sha256));
    });
});
