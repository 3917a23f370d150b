import assert from "node:assert/strict";
import { controlPlane } from "../../../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../../../cluster/manifests/control-plane/placeholder";
import { resolveCluster } from "../../../../cluster/resolve";
import {
    desiredFloor,
    givenUp,
    newestMinor,
    readableBy,
    rollbackProblems,
} from "../../../../cluster/upgrades/rollback";

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
    });
});

describe("the option rollbackTo", () => {
    const of = (rollbackTo?: string) =>
        resolveCluster({ name: "c", kubernetesVersion: "1.36.3", ...(rollbackTo && { rollbackTo }) });
    const manifests = (rollbackTo?: string) =>
        JSON.stringify(controlPlane(of(rollbackTo), placeholderCredentials(of())));

    it("is passed to all three programs, and by default to none", () => {
        assert.equal(manifests("1.35").match(/"--min-compatibility-version=1\.35"/g)?.length, 3);
        assert.doesNotMatch(manifests(), /min-compatibility/);
        assert.deepEqual([desiredFloor(of()), desiredFloor(of("1.36"))], ["1.35", "1.36"]);
    });

    it("must be a supported minor version that is at most three older", () => {
        assert.throws(() => of("1.37"), /^Error: rollbackTo must be one of .*1\.35, 1\.36 \(got 1\.37\)$/);
        assert.throws(() => of("1.32"), /rollbackTo must be one of/);
        assert.throws(() => of("1.35.4"), /rollbackTo must be one of/);
    });

    it("is mentioned when a change gives up a version to go back to", () => {
        const notice = 'this gives up the way back to Kubernetes 1.35; rollbackTo: "1.35" keeps it';
        assert.equal(givenUp(of("1.36"), "1.35"), notice);
        assert.equal(givenUp(of("1.35"), "1.35"), undefined);
        assert.equal(givenUp(of("1.35"), "1.36"), undefined);
    });

    it("may not be older than what can read everything that is stored", () => {
        assert.deepEqual(rollbackProblems(of("1.36"), "1.36"), []);
        assert.deepEqual(rollbackProblems(of(), "1.36"), []);
        assert.match(rollbackProblems(of("1.35"), "1.36")[0]!.message, /rollbackTo must be 1\.36 or newer/);
    });
});
