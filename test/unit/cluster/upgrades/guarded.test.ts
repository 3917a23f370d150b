import assert from "node:assert/strict";
import type { GuardReport, UpgradeRecord } from "../../../../agents/upgrade-guard/record";
import { resolveCluster } from "../../../../cluster/resolve";
import { describeTakenBack, guardProblems } from "../../../../cluster/upgrades/guarded";

const resolve = (upgradeGuard?: object) => resolveCluster({ name: "c", upgradeGuard }).upgradeGuard;

describe("the option upgradeGuard", () => {
    it("is on by default, with a soak of a minute", () => {
        assert.deepEqual(resolve(), { soakSeconds: 60 });
        assert.deepEqual(resolve({ soak: "5m" }), { soakSeconds: 300 });
        assert.equal(resolve({ enabled: false, soak: "5m" }), undefined);
    });

    it("must have legal values", () => {
        assert.throws(() => resolve({ soak: "0s" }), {
            message: "upgradeGuard.soak must be a duration from 1s to 1d (got 0s)",
        });
        assert.throws(() => resolve({ soak: "2d" }), /^Error: upgradeGuard\.soak must be/);
        assert.throws(() => resolve({ enabled: false, soak: "x" }), /^Error: upgradeGuard\.soak must be/);
        assert.throws(() => resolve({ enabled: "no" }), {
            message: "upgradeGuard.enabled must be one of true, false (got no)",
        });
    });
});

describe("an upgrade that its guard takes back", () => {
    const record = { id: "1", from: "1.35.4", to: "1.36.3" } as UpgradeRecord;
    const of = (state: GuardReport["state"]) => ({ record, report: { id: "1", state, since: "2026-11-29T12:00:03Z" } });

    it("is described, even without numbers", () => {
        const text =
            "the upgrade guard is taking Kubernetes 1.36.3 back to 1.35.4: something got worse at 2026-11-29T12:00:03Z";
        assert.equal(describeTakenBack(of("rolling-back")), text);
    });

    it("must not be tried again, unless an operator accepts it; other versions may", () => {
        assert.deepEqual(
            guardProblems(of("rolled-back"), "1.36.3").map(({ check }) => check),
            ["guard"],
        );
        const accepted = { ...of("rolled-back"), record: { ...record, isAccepted: true } };
        for (const last of [undefined, of("guarding"), of("passed"), of("undecided"), accepted]) {
            assert.deepEqual(guardProblems(last, "1.36.3"), []);
        }
        assert.deepEqual(guardProblems(of("rolled-back"), "1.36.4"), []);
    });
});
