import assert from "node:assert/strict";
import { guardRecord, type UpgradeRecord } from "../../../../agents/upgrade-guard/record";
import { upgradeFacts } from "../../../../cli/status/collect/api";
import { program, run } from "../../../../cli/upgrade-guard/command";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { lastUpgrade } from "../../../../components/upgrade/guard-record";

const upgrade = { id: "1", from: "1.35.4", to: "1.36.3", began: "2026-11-29T12:00:00.000Z", soakSeconds: 60 };
const rolledOut = "2026-11-29T12:01:00.000Z";
const breach = {
    what: "p99 of writes",
    before: "12 ms",
    after: "480 ms",
    limit: "60 ms",
    at: "2026-11-29T12:01:03.000Z",
};

/** An API with the guard's ConfigMap. */
function fakeApi(record?: object, report?: object): Caller & { record(): UpgradeRecord } {
    const data: Record<string, string> = {
        ...(record && { [guardRecord.upgradeKey]: JSON.stringify({ ...upgrade, ...record }) }),
        ...(report && { [guardRecord.reportKey]: JSON.stringify({ id: "1", since: rolledOut, ...report }) }),
    };
    const call = async (_path: string, { body }: Call = {}) => {
        Object.assign(data, (body as { data: object } | undefined)?.data);
        return { data } as never;
    };
    return { call, record: () => JSON.parse(data[guardRecord.upgradeKey]!) };
}

const takenBack =
    "the upgrade guard took Kubernetes 1.36.3 back to 1.35.4: p99 of writes became 480 ms (before: 12 ms, limit: 60 ms) at 2026-11-29T12:01:03.000Z";

describe("tradewind upgrade-guard", () => {
    const shown: [string, object | undefined, object | undefined, string][] = [
        ["no upgrade", undefined, undefined, "no upgrade was guarded yet"],
        [
            "one that is being rolled out",
            {},
            { state: "guarding" },
            "Kubernetes 1.35.4 to 1.36.3: guarded since 2026-11-29T12:00:00.000Z; a soak of 60 s follows the rollout",
        ],
        [
            "one that soaks",
            { rolledOut },
            { state: "guarding", undecided: "no metrics" },
            "Kubernetes 1.35.4 to 1.36.3: soaks until 2026-11-29T12:02:00.000Z; it cannot decide at the moment: no metrics",
        ],
        ["one that has passed", { rolledOut }, { state: "passed" }, "Kubernetes 1.35.4 to 1.36.3: nothing got worse"],
        [
            "one that could not be judged",
            { rolledOut },
            { state: "undecided", undecided: "no metrics" },
            "Kubernetes 1.35.4 to 1.36.3: could not be judged: no metrics",
        ],
        ["one that was taken back", {}, { state: "rolled-back", breach }, takenBack],
    ];
    for (const [what, record, report, text] of shown) {
        it(`shows ${what}`, async () => assert.equal(await run(fakeApi(record, report), false), text));
    }

    it("ends a soak early, and also allows a version again that was taken back", async () => {
        const soaking = fakeApi({ rolledOut }, { state: "guarding" });
        assert.equal(await run(soaking, true), "Kubernetes 1.35.4 to 1.36.3: the soak was ended early");
        assert.deepEqual(soaking.record(), { ...upgrade, rolledOut, isAccepted: true });
        const back = fakeApi({}, { state: "rolled-back", breach });
        assert.equal(await run(back, true), `${takenBack} (accepted)`);
        assert.equal(back.record().isAccepted, true);
    });

    it("extends a soak", async () => {
        const soaking = fakeApi({ rolledOut }, { state: "guarding" });
        assert.equal(
            await run(soaking, false, 600),
            "Kubernetes 1.35.4 to 1.36.3: soaks until 2026-11-29T12:12:00.000Z",
        );
        assert.equal(soaking.record().soakSeconds, 660);
    });

    it("changes nothing that has ended", async () => {
        for (const state of ["passed", "undecided"]) {
            await assert.rejects(
                run(fakeApi({}, { state }), true),
                /^Error: the soak cannot be changed any more: Kube/,
            );
        }
        for (const state of ["passed", "rolled-back", "rolling-back"]) {
            await assert.rejects(run(fakeApi({}, { state, breach }), false, 60), /cannot be changed any more/);
        }
        await assert.rejects(run(fakeApi(), true), /^Error: no upgrade was guarded yet$/);
    });

    it("takes one duration, or --accept", () => {
        assert.equal(program.parse(["--extend", "10m"]).options.extend, 600);
        assert.throws(() => program.parse(["--extend", "0s"]), /^Error: --extend must be a duration from 1s to 1d/);
        assert.throws(() => program.parse(["--extend", "1m", "--accept"]), /--accept/);
    });
});

describe("what status knows of an upgrade", () => {
    const facts = async (record: object, report?: object) =>
        upgradeFacts((await lastUpgrade(fakeApi(record, report)))!);

    it("is what was taken back, until an operator accepts that, and why the guard cannot judge", async () => {
        const versions = { from: "1.35.4", to: "1.36.3" };
        const back = { state: "rolled-back", breach };
        assert.deepEqual(await facts({}, back), { ...versions, takenBack });
        assert.equal(await facts({ isAccepted: true }, back), undefined);
        const undecided = "no metrics";
        assert.deepEqual(await facts({}, { state: "guarding", undecided }), { ...versions, undecided });
        assert.equal(await facts({}, { state: "guarding" }), undefined);
        assert.equal(await facts({}), undefined);
    });
});
