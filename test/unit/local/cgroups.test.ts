import assert from "node:assert/strict";
import { cgroupNotice } from "../../../local/cgroups";

describe("the version of cgroups", () => {
    it("is no news if Kubernetes keeps it", () => assert.equal(cgroupNotice("2"), undefined));
    it("is no news if the engine does not say it", () => assert.equal(cgroupNotice(""), undefined));
    it("is mentioned if Kubernetes is about to drop it, with how to change it", () => {
        assert.match(cgroupNotice("1") ?? "", /cgroup v1.* systemd\.unified_cgroup_hierarchy=1$/);
    });
});
