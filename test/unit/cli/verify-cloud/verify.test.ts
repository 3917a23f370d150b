import assert from "node:assert/strict";
import { markdown, type Result } from "../../../../cli/verify-cloud/report";
import { Run } from "../../../../cli/verify-cloud/run";
import { Interrupted } from "../../../../command-line/interrupt";

describe("a run of tradewind verify-cloud", () => {
    const quiet = () => new Run(() => undefined);

    it("records each step, with the last lines of one that failed", async () => {
        const run = quiet();
        assert.equal(await run.step("create", "the cluster", async () => "made"), true);
        const failed = await run.step("ready", "nodes", async (say) => {
            for (let line = 0; line < 100; line++) say(`line ${line}`);
            throw new Error("not ready: Bearer 0123456789abcdef");
        });
        assert.equal(failed, false);
        const [create, ready] = run.steps;
        assert.deepEqual([create!.outcome, create!.detail, create!.lastLines], ["passed", "made", undefined]);
        assert.deepEqual([ready!.outcome, ready!.detail], ["failed", "not ready: Bearer [token]"]);
        assert.match(ready!.lastLines!, /^line 40\n.*line 99$/s);
    });

    it("skips every step after an interrupt, until it is resumed for the destroy", async () => {
        const run = quiet();
        await run.step("create", "", async () => {
            throw new Interrupted();
        });
        assert.equal(await run.step("ready", "", async () => assert.fail("it runs")), false);
        run.resume();
        await run.step("destroy", "", async () => undefined);
        assert.deepEqual(
            run.steps.map(({ name, outcome }) => `${name}: ${outcome}`),
            ["create: interrupted", "destroy: passed"],
        );
    });

    it("ends a step that waits when it is interrupted, so that the destroy follows at once", async () => {
        const lines: string[] = [];
        const run = new Run((line) => lines.push(line));
        let late = (_: string) => {};
        const waiting = run.step("ready", "", (say) => {
            late = say;
            return new Promise(() => undefined);
        });
        process.emit("SIGHUP");
        assert.equal(await waiting, false);
        late("still waiting");
        assert.deepEqual([run.steps[0]!.outcome, lines], ["interrupted", ["==> ready: ", "    interrupted"]]);
        assert.equal(process.listenerCount("SIGHUP"), 0);
    });

    it("is reported as a table, with what is left and how to destroy it", () => {
        const result: Result = {
            ...{ cloud: "digitalocean", passed: false, began: "2030-01-01T00:00:00.000Z", cost: "$1", versions: {} },
            config: { "tradewind:cloud": "digitalocean" },
            steps: [
                { name: "create", what: "a | b", outcome: "failed", seconds: 1.25, detail: "x\ny", lastLines: "last" },
            ],
            left: ["Droplet verify-verify-0 (17)"],
            howToDestroy: ["npm run tradewind -- verify-cloud --destroy"],
        };
        const text = markdown(result);
        assert.match(text, /^# tradewind verify-cloud on digitalocean: FAILED\n/);
        assert.match(text, /\| create \| a \\\| b \| failed \| 1\.3 s \| x<br>y \|/);
        assert.match(text, /## Left behind\n\n- Droplet verify-verify-0 \(17\)\n\n```\nnpm run tradewind/);
        assert.match(text, /### Last lines of: create\n\n```\nlast\n```/);
    });
});
