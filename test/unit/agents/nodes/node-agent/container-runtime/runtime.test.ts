import assert from "node:assert/strict";
import {
    hasVersion,
    labelOf,
    needsDrain,
    type Runtime,
    stepProblem,
} from "../../../../../../agents/nodes/node-agent/container-runtime/runtime";

const runtime = (containerd: string, runc = "1.4.3", id = "a-b"): Runtime => ({ id, containerd, runc });

describe("the replacement of a container runtime", () => {
    it("requires a drain if runc or containerd's minor version differs", () => {
        const from = runtime("2.3.7", "1.4.3", "a-b");
        assert.equal(needsDrain(from, runtime("2.3.8", "1.4.3", "c-b")), false);
        assert.equal(needsDrain(from, runtime("2.4.0", "1.4.3", "c-b")), true);
        assert.equal(needsDrain(from, runtime("2.3.7", "1.4.4", "a-c")), true);
        // Another build of the same version differs too.
        assert.equal(needsDrain(from, runtime("2.3.7", "1.4.3", "a-c")), true);
    });

    it("is possible with the next minor version or the previous one, as far as containerd supports reading existing data", () => {
        for (const version of ["2.2.9", "2.3.0", "2.3.7", "v2.4.2", "2.4.0-rc.1"]) {
            assert.equal(stepProblem(runtime("2.3.7"), runtime(version)), undefined, version);
        }
        for (const version of ["2.1.9", "2.5.0", "1.3.7", "3.3.7"]) {
            assert.match(
                stepProblem(runtime("2.3.7"), runtime(version))!,
                /^containerd 2\.3\.7 can only be replaced by 2\.2, 2\.3, 2\.4, .*\(got \d/,
            );
        }
        assert.match(stepProblem(runtime("2.0.1"), runtime("2.2.0"))!, /by 2\.0, 2\.1, since/);
    });

    it("is recognized in the node's status with or without a v", () => {
        assert.equal(hasVersion(runtime("2.4.2"), "containerd://2.4.2"), true);
        assert.equal(hasVersion(runtime("2.4.2"), "containerd://v2.4.2"), true);
        assert.equal(hasVersion(runtime("2.4.2+build"), "containerd://2.4.2"), true);
        assert.equal(hasVersion(runtime("2.4.2"), "containerd://2.4.1"), false);
        assert.equal(hasVersion(runtime("2.4.2"), ""), false);
    });

    it("is labelled with versions, and with hashes too if the versions are the same", () => {
        assert.equal(labelOf(runtime("2.4.2"), runtime("2.4.1")), "containerd 2.4.2 with runc 1.4.3");
        assert.equal(labelOf(runtime("2.4.2"), runtime("2.4.2")), "containerd 2.4.2 with runc 1.4.3 (a-b)");
    });
});
