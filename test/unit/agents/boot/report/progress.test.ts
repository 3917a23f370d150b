import assert from "node:assert/strict";
import { progressOf } from "../../../../../agents/boot/report/report";
import { Host } from "./scene";

describe("the progress that a host reports", () => {
    let host: Host;
    beforeEach(async () => {
        host = await Host.create();
    });
    afterEach(() => host.remove());

    it("comes from the stage log", async () => {
        host.write("/state/half", "");
        assert.equal((await progressOf(host.plan, 0)).stage, "its bootstrap has not begun");
        const line = { time: "2030-01-01T00:00:00Z", step: "wait-for-api", event: "retry", message: "refused" };
        host.write("/state/stages.jsonl", `${JSON.stringify(line)}\n{"half`);
        assert.equal((await progressOf(host.plan, 0)).stage, "step wait-for-api is not done: refused");
    });

    it("includes the last lines that the host collects on request, and no older ones", async () => {
        host.write("/state/last-lines", "old");
        const asked = progressOf(host.plan);
        while (!host.has("/state/last-lines-requested")) await new Promise((resolve) => setTimeout(resolve, 10));
        host.write("/state/last-lines", "new");
        assert.equal((await asked).lastLines, "new");
        assert.match((await progressOf(host.plan, 0)).lastLines, /^its host did not collect/);
    });
});
