import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepNames } from "../../../agents/boot/bootstrap/plan";
import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import { interruptedSteps, releaseKiller, stages, wasKilled } from "../bootstrap-killer";
import { eventually } from "../cluster";
import { by, runThrough } from "../interrupt";
import { shared, sharedCluster, size } from "../shared";

/** A moment of a start, identified by its output, and the signal that ends it there. */
interface Interruption {
    readonly at: RegExp;
    readonly signal: NodeJS.Signals;
    readonly takesLong?: true;
}

const BEFORE_BOOTSTRAP: readonly Interruption[] = [
    { at: /==> .* plugins:/, signal: "SIGINT", takesLong: true },
    { at: /==> .* pulumi up:/, signal: "SIGKILL" },
    { at: /LocallySignedCert .* created/, signal: "SIGINT", takesLong: true },
    { at: /-load-balancer created/, signal: "SIGKILL", takesLong: true },
    { at: /Command test-controller-0 created/, signal: "SIGINT" },
];

const AFTER_BOOTSTRAP: readonly Interruption[] = [
    { at: /DaemonSet .* created/, signal: "SIGKILL", takesLong: true },
    { at: /==> .* ready:/, signal: "SIGINT", takesLong: true },
];

describe("an interrupted start", function () {
    this.timeout(600_000);
    const machine = `${shared.name}-controller-0`;

    const interruptStart = async (at: RegExp, signal: NodeJS.Signals) => {
        const { output } = await runThrough(shared.spawnStart(...size), [{ at, act: by(signal) }]);
        if (signal === "SIGINT") {
            assert.match(output, /run the same command again to resume/);
        }
    };

    for (const { at, signal, takesLong } of BEFORE_BOOTSTRAP) {
        (takesLong ? itLong : it)(`can be interrupted by ${signal} at ${at.source}`, () => interruptStart(at, signal));
    }

    it("can continue although its bootstrap is killed at the start of every step and the power is cut in between", async () => {
        await eventually("the machine", () => releaseKiller(shared, machine), 60);
        await interruptStart(/bootstrap: wait-for-self-hosted start/, "SIGINT");
        await eventually("the kill before the power cut", () => wasKilled(shared, machine, "wait-for-self-hosted"));
        await powerCut(shared.name, machine);
        await eventually("the machine to return", () => releaseKiller(shared, machine), 60);
    });

    it("leaves its machine's journal to support bundles, though no start has completed", async () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-interrupted-"));
        try {
            const file = join(folder, "bundle.tar.gz");
            await shared.tradewind("support-bundle", "--output", file);
            const journal = execFileSync("tar", ["-xzOf", file, `bundle/machines/${machine}/journal.log`], {
                encoding: "utf8",
                maxBuffer: 64 << 20,
            });
            assert.match(journal, /bootstrap/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    for (const { at, signal, takesLong } of AFTER_BOOTSTRAP) {
        (takesLong ? itLong : it)(`can be interrupted by ${signal} at ${at.source}`, () => interruptStart(at, signal));
    }

    it("completes nevertheless, with every pod Ready", async () => {
        const { stdout } = await sharedCluster();
        assert.match(stdout, /The cluster test is up/);
    });

    it("has pivoted nevertheless, and cleaned up", async () => {
        const killed = interruptedSteps(await stages(shared, machine));
        // A step of milliseconds may be over when the signal arrives; those of seconds cannot, and some of the others
        // are hit.
        for (const step of ["wait-for-api", "wait-for-self-hosted"]) {
            assert(killed.has(step), `${step} interrupted (got ${[...killed].join(", ")})`);
        }
        assert(killed.size >= 6, `at least 6 of ${stepNames.length} steps interrupted (got ${[...killed].join(", ")})`);
        console.log(`      killed in ${[...killed].join(", ")}`);
        assert.equal(await shared.exec(machine, "ls /etc/kubernetes/manifests | grep -v ^checkpoint-"), "etcd.json\n");
        const left = "find /opt/tradewind/bootstrap/secrets 2>/dev/null; true";
        assert.equal(await shared.exec(machine, left), "");
    });
});
