import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../../../../cli/graph/command";
import { elementsOf } from "../picture/xml";
import { FakeSsh } from "../reach/fake-ssh";

describe("tradewind graph", function () {
    this.timeout(20_000);
    let fake: FakeSsh;
    let folder: string;
    const log = console.log;

    beforeEach(() => {
        fake = new FakeSsh();
        folder = mkdtempSync(join(tmpdir(), "tradewind-graph-"));
        console.log = () => undefined;
    });
    afterEach(() => {
        console.log = log;
        fake.remove();
        rmSync(folder, { recursive: true });
    });

    it("draws a cloud cluster from its state if nothing in it answers", async () => {
        const recovery = {
            options: { name: "c", controllers: { count: 3 } },
            machines: { "c-controller-0": "127.0.0.2", "c-controller-1": "127.0.0.3", "c-controller-2": "127.0.0.4" },
            credentials: { kubernetesCa: { cert: "CA", key: "PRIVATE" } },
        };
        fake.addStack("prod", {
            deployment: { resources: [{ type: "tradewind:index:AwsCluster", outputs: { recovery } }] },
        });
        const file = join(folder, "c.svg");
        assert.equal(await program.run(["--stack", "prod", "--output", file]), 0);
        const svg = readFileSync(file, "utf8");
        const texts = elementsOf(svg).map(({ text }) => text);
        assert.ok(texts.includes("Topology of the cluster c"));
        for (const name of Object.keys(recovery.machines)) assert.ok(texts.includes(name));
        assert.doesNotMatch(svg, /PRIVATE/);
    });
});
