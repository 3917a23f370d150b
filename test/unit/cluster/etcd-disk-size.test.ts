import assert from "node:assert/strict";
import { requireEtcdDiskSize } from "../../../cluster/resolve";

describe("the size of a disk for etcd", () => {
    it("is 20 GiB or the configured size", () => {
        assert.equal(requireEtcdDiskSize(), 20);
        assert.equal(requireEtcdDiskSize(100), 100);
    });

    for (const size of [0, 9, 16_385, 20.5]) {
        it(`is refused when it is ${size}`, () => {
            assert.throws(
                () => requireEtcdDiskSize(size),
                new RegExp(
                    `^Error: controllers\\.etcdDiskSize must be a whole number of GiB from 10 to 16384 \\(got ${size}\\)$`,
                ),
            );
        });
    }
});
