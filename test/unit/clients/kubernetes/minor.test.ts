import assert from "node:assert/strict";
import { isOlderMinor, minorOf } from "../../../../clients/kubernetes/minor";

describe("a version", () => {
    it("has a major and a minor number, with or without a v", () => {
        assert.deepEqual(minorOf("v1.36.3"), [1, 36]);
        assert.deepEqual(minorOf("1.9.0-rc.1+k3s1"), [1, 9]);
        assert.deepEqual(minorOf("1.36"), [1, 36]);
        assert.throws(() => minorOf("1"), /a version must be <major>\.<minor> or <major>\.<minor>\.<patch> \(got 1\)/);
    });

    it("is older by its minor number, whatever the patch", () => {
        const table: [string, string, boolean][] = [
            ["1.35.9", "1.36.0", true],
            ["1.9.4", "1.10", true],
            ["1.99.0", "2.0.0", true],
            ["1.36.0", "1.36.9", false],
            ["1.36.0", "1.35.9", false],
        ];
        for (const [version, other, isOlder] of table) {
            assert.equal(isOlderMinor(version, other), isOlder, `${version} and ${other}`);
        }
    });
});
