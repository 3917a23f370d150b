import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { loseSpot, recommendRebalance, spotTree } from "../../../../../simulator/clouds/aws/offers";
import { lookUp } from "../../../../../simulator/clouds/shared/tree";

const instance = { name: "c-a", machine: "i-1", vpc: "v", subnet: "s", address: "10.0.0.4", groups: [] };

describe("the loss of a simulated spot instance", () => {
    let folder: string;
    let account: Account;
    const tell = (path: string) => lookUp(spotTree(account.find("instances", "i-1")), path.split("/"));

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        account = Account.open(join(folder, "account.json"), { region: "eu-central-1", zones: {}, amis: {} });
        account.put("instances", "i-1", { ...instance, isSpot: true });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is not announced before its notice", () => {
        for (const path of ["spot/instance-action", "spot/termination-time", "events/recommendations/rebalance"]) {
            assert.equal(tell(path), undefined);
        }
    });

    it("is announced two minutes before, or as configured", () => {
        for (const [given, seconds] of [
            [undefined, 120],
            [{ notice: 30 }, 30],
        ] as const) {
            const before = Date.now();
            loseSpot(account, "i-1", given);
            const { action, time } = JSON.parse(tell("spot/instance-action")!);
            assert.equal(action, "terminate");
            assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
            const passed = Date.parse(time) - before;
            assert(Math.abs(passed - seconds * 1000) < 2000, `${passed} ms`);
            assert.equal(tell("spot/termination-time"), time);
            assert.equal(tell("events/recommendations/rebalance"), undefined);
        }
    });

    it("may be preceded by a rebalance recommendation", () => {
        recommendRebalance(account, "i-1");
        const told = tell("events/recommendations/rebalance")!;
        assert(JSON.parse(told).noticeTime);
        loseSpot(account, "i-1");
        assert.equal(tell("events/recommendations/rebalance"), told);
        assert(tell("spot/instance-action"));
    });

    it("does not affect an on-demand instance", () => {
        account.put("instances", "i-1", instance);
        assert.throws(() => loseSpot(account, "i-1"), /only a spot instance can be interrupted \(got i-1\)/);
        assert.throws(() => recommendRebalance(account, "i-1"), /only a spot instance/);
    });
});
