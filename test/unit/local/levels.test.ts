import assert from "node:assert/strict";
import { resolveCluster } from "../../../cluster/resolve";
import { LEVELS } from "../../../local/options";
import { atLevel } from "../../../local/stack-config";

describe("the levels that npm start knows", () => {
    const own = { "tradewind:os": "ignition" };

    for (const level of LEVELS) {
        it(`are the stack's own: ${level}`, () => {
            const config = atLevel(own, level);
            const selfHosted = config["tradewind:selfHosted"] as object | undefined;
            const { etcd, kubelet } = resolveCluster({ name: "c", selfHosted }).selfHosted;
            assert.equal(level, etcd ? "1-4" : kubelet ? "0-4" : "2-4");
        });
    }

    it("replace each other, and leave the rest", () => {
        assert.deepEqual(atLevel(atLevel(own, "1-4"), "0-4"), { ...own, "tradewind:selfHosted": { kubelet: true } });
        assert.deepEqual(atLevel(atLevel(own, "1-4"), "2-4"), own);
        assert.deepEqual(atLevel(atLevel(own, "1-4"), undefined), atLevel(own, "1-4"));
    });
});
