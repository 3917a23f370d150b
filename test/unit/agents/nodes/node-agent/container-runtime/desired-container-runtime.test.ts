import assert from "node:assert/strict";
import { desiredContainerRuntime } from "../../../../../../agents/nodes/node-agent/container-runtime/observe";
import type { RuntimeSource } from "../../../../../../agents/nodes/node-agent/plan";

const runtime = (digit: string): RuntimeSource => ({
    containerd: { urls: ["http://mirror.test/c.tgz"], sha256: digit.repeat(64) },
    runc: { urls: ["http://mirror.test/runc"], sha256: "0".repeat(64) },
});
const [own, other] = [runtime("1"), runtime("2")];
const id = (digit: string) => `${digit.repeat(12)}-000000000000`;

describe("a node's desired container runtime", () => {
    const plan = { containerRuntime: own, otherContainerRuntimes: [other] };

    it("is its pool's, unless its annotation names another pinned one", () => {
        assert.deepEqual(desiredContainerRuntime(plan, undefined), { id: id("1"), ...own });
        assert.deepEqual(desiredContainerRuntime(plan, id("2")), { id: id("2"), ...other });
        assert.deepEqual(desiredContainerRuntime(plan, id("1")), { id: id("1"), ...own });
    });

    it("is none if the annotation names one that is not pinned", () => {
        for (const named of [id("3"), "222222222222", "../x"]) {
            assert.deepEqual(desiredContainerRuntime(plan, named), {
                refusal: `the node's container runtime annotation must be one of ${id("1")}, ${id("2")} (got ${named})`,
            });
        }
    });

    it("is its image's own if the pool has none", () => {
        assert.equal(desiredContainerRuntime({}, undefined), undefined);
        assert.equal(desiredContainerRuntime({}, id("1")), undefined);
    });
});
