import assert from "node:assert/strict";
import { isNewerMinor, minorOf } from "../../../../clients/kubernetes/nodes";

describe("a version", () => {
    it("has a major and a minor number, with or without a v", () => {
        assert.deepEqual(minorOf("v1.36.3"), [1, 36]);
        assert.deepEqual(minorOf("1.9.0-rc.1+k3s1"), [1, 9]);
        assert.throws(() => minorOf("1.36"), /a version must be <major>\.<minor>\.<patch>, got 1\.36/);
    });

    it("is newer by its minor number, whatever the patch", () => {
        const table: [string, string, boolean][] = [
            ["1.36.0", "1.35.9", true],
            ["1.10.0", "1.9.0", true],
            ["2.0.0", "1.99.0", true],
            ["1.36.9", "1.36.0", false],
            ["1.35.9", "1.36.0", false],
        ];
        for (const [version, other, isNewer] of table) {
            assert.equal(isNewerMinor(version, other), isNewer, `${version} and ${other}`);
        }
    });
});
