import assert from "node:assert/strict";
import { isOlderMinor, newestMinor, readableBy } from "../../../../cluster/upgrades/rollback";

describe("the oldest version that can read what is stored", () => {
    it("is the minor version before, unless a flag says otherwise", () => {
        const cases = [
            [[], "1.36"],
            [["--emulated-version=1.35"], "1.34"],
            [["--emulated-version=kube=1.36", "--min-compatibility-version=kube=1.34"], "1.34"],
            [["--min-compatibility-version=wardle=1.2,kube=1.35"], "1.35"],
            [["--min-compatibility-version=1.37", "--v=2"], "1.37"],
            // Kubernetes takes the last one.
            [["--min-compatibility-version=1.37", "--min-compatibility-version=1.36"], "1.36"],
        ] as const;
        for (const [flags, minor] of cases) assert.equal(readableBy("1.37.2", flags), minor, flags.join(" "));
    });

    it("is the newest of several, by number", () => {
        assert.equal(newestMinor(["1.9", "1.10", "1.8"]), "1.10");
        assert.equal(newestMinor([]), undefined);
        assert.ok(isOlderMinor("1.9.4", "1.10"));
        assert.ok(!isOlderMinor("1.36.1", "1.36.3"));
    });
});
