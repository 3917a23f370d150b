import assert from "node:assert/strict";
import { bridge } from "../../../../../dev/bench/control-plane/kubeadm-cost";
import { diffable, validate } from "../../../../../ignition";

describe("a pod network of one machine", () => {
    const config = bridge("10.2.1.0/24");

    it("is valid Ignition", () => assert.deepEqual(validate(config), []));

    it("is where containerd reads it, with the node's own subnet", () => {
        const [path, contents] = Object.entries(diffable(config))[0]!;
        assert.match(path, /\/etc\/cni\/net\.d\/.*\.conflist/);
        assert.match(contents, /"ranges":\[\[\{"subnet":"10\.2\.1\.0\/24"\}\]\]/);
    });
});
