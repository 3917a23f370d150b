import assert from "node:assert/strict";
import { resolveCluster } from "../../../cluster/resolve";
import { LEVELS } from "../../../local/options";
import { atLevel } from "../../../local/stack-config";

describe("the levels of npm start", () => {
    const own = { "tradewind:os": "ignition" };

    for (const level of LEVELS) {
        it(`match those of the stack: ${level}`, () => {
            const config = atLevel(own, level);
            const selfHosted = config["tradewind:selfHosted"] as object | undefined;
            const { etcd, kubelet } = resolveCluster({ name: "c", selfHosted }).selfHosted;
            assert.equal(level, kubelet ? "0-4" : etcd ? "1-4" : "2-4");
        });
    }

    it("replace each other, and leave other settings unchanged", () => {
        assert.deepEqual(atLevel(atLevel(own, "1-4"), "0-4"), {
            ...own,
            "tradewind:selfHosted": { kubelet: true, etcd: true },
        });
        assert.deepEqual(atLevel(atLevel(own, "1-4"), "2-4"), own);
        assert.deepEqual(atLevel(atLevel(own, "1-4"), undefined), atLevel(own, "1-4"));
    });
});
