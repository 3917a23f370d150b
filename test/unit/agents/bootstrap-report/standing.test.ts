import assert from "node:assert/strict";
import { standingOf } from "../../../../agents/bootstrap-report/standing";
import { Host } from "./scene";

describe("how far a bootstrap is, as its host tells", () => {
    let host: Host;
    beforeEach(async () => {
        host = await Host.create();
    });
    afterEach(() => host.remove());

    it("is told of the stage log", async () => {
        assert.equal((await standingOf(host.plan)).stage, "its bootstrap has not begun");
        const line = { time: "2030-01-01T00:00:00Z", step: "wait-for-api", event: "retry", message: "refused" };
        host.write("/state/stages.jsonl", `${JSON.stringify(line)}\n{"half`);
        assert.equal((await standingOf(host.plan)).stage, "its step wait-for-api is not done: refused");
    });

    it("says so where the host's programs can't be run", async () => {
        assert.match((await standingOf(host.plan)).lastLines, /^no journal: /);
    });
});
