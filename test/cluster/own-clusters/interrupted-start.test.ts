import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { destroyCluster } from "../../../machines";
import { TestCluster } from "../cluster";

/** A moment of a start, told by what it prints, and how it ends there. */
const INTERRUPTIONS: readonly { readonly at: RegExp; readonly signal: NodeJS.Signals }[] = [
    { at: /==> .* plugins:/, signal: "SIGINT" },
    { at: /==> .* pulumi up:/, signal: "SIGKILL" },
    { at: /LocallySignedCert .* created/, signal: "SIGINT" },
    { at: /-load-balancer created/, signal: "SIGKILL" },
    { at: /-controller-0 created/, signal: "SIGINT" },
    { at: /bootstrap: wait-for-self-hosted start/, signal: "SIGINT" },
    { at: /DaemonSet .* created/, signal: "SIGKILL" },
    { at: /==> .* ready:/, signal: "SIGINT" },
];

const LIMIT_MS = 240_000;

/** Ends the program at a moment; resolves to what it printed until its end. */
async function interrupt(child: ChildProcess, at: RegExp, signal: NodeJS.Signals): Promise<string> {
    const lines: string[] = [];
    let isReached = false;
    for (const stream of [child.stdout!, child.stderr!]) {
        createInterface({ input: stream }).on("line", (line) => {
            lines.push(line);
            if (!isReached && at.test(line)) {
                isReached = true;
                child.kill(signal);
            }
        });
    }
    // One that hangs is to be told with all that it said.
    const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    await new Promise((resolve) => child.once("exit", resolve));
    clearTimeout(limit);
    const output = lines.join("\n");
    assert.ok(isReached, `it never came to ${at}:\n${output}`);
    return output;
}

describe("a start that is interrupted", function () {
    this.timeout(600_000);
    const cluster = new TestCluster("interrupted");

    after(() => cluster.destroy());

    for (const { at, signal } of INTERRUPTIONS) {
        it(`can be by ${signal} at ${at.source}`, async () => {
            const output = await interrupt(cluster.spawnStart("--workers", "0"), at, signal);
            if (signal === "SIGINT") {
                assert.match(output, /the same command goes on from here/);
            }
        });
    }

    it("goes on to the end all the same, with every pod Ready", async () => {
        const { stdout } = await cluster.start();
        assert.match(stdout, /The cluster interrupted is up/);
        const nodes = await cluster.get<{ items: { metadata: { name: string } }[] }>("nodes");
        assert.deepEqual(
            nodes.items.map(({ metadata }) => metadata.name),
            ["interrupted-controller-0"],
        );
    });

    it("then has nothing left to change", async () => {
        const { stdout } = await cluster.start();
        assert.match(stdout, /nothing to change/);
    });

    it("can be destroyed when its machines are gone without the stack's knowing", async () => {
        await destroyCluster(cluster.name);
        const { stdout } = await cluster.destroy();
        assert.match(stdout, /the cluster interrupted is gone/);
    });
});
