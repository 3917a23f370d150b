import assert from "node:assert/strict";
import { rebootAnnotation, rebootUntilAnnotation, turnOf } from "../../../../clients/kubernetes/reboot-turn";

const lease = (annotations: Record<string, string>, holderIdentity?: string) =>
    turnOf({ metadata: { name: "os-reboot", resourceVersion: "1", annotations }, spec: { holderIdentity } });

describe("the reboot Lease", () => {
    it("gives no turn without a holder", () => {
        assert.equal(turnOf({ metadata: { name: "os-reboot", resourceVersion: "1" } }), undefined);
        assert.equal(lease({ [rebootAnnotation]: "boot" }), undefined);
        assert.equal(lease({ [rebootAnnotation]: "boot" }, ""), undefined);
    });

    it("contains the holder, the boot, and the deadline to begin once set", () => {
        assert.deepEqual(lease({ [rebootAnnotation]: "boot" }, "a"), { node: "a", request: "boot" });
        for (const until of ["", "soon"]) {
            const wrong = { [rebootAnnotation]: "boot", [rebootUntilAnnotation]: until };
            assert.deepEqual(lease(wrong, "a"), { node: "a", request: "boot" });
        }
        const confirmed = { [rebootAnnotation]: "boot", [rebootUntilAnnotation]: "1970-01-01T01:00:00.000Z" };
        assert.deepEqual(lease(confirmed, "a"), { node: "a", request: "boot", until: 3600 });
    });
});
