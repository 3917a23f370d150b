import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

const index = JSON.stringify(resolve(__dirname, "../../index"));

/** A platform team's program that creates its cluster with `opts`. */
const program = (before: string, opts: string) => `
const pulumi = require("@pulumi/pulumi");
const { DigitalOceanCluster } = require(${index});
const fetched = (sha256) => ({ urls: ["https://mirror.example/" + sha256], sha256 });
${before}
new DigitalOceanCluster("c", {
    domain: "example.com",
    region: "fra1",
    image: "170000001",
    sshKeys: ["42"],
    workerPools: [{ name: "default" }],
    downloads: { kubelet: fetched("1".repeat(64)), cniPlugins: fetched("2".repeat(64)) },
}, ${opts});
`;

const atTheTop = program("", "{}");
const platform = 'const platform = new pulumi.ComponentResource("acme:index:Platform", "platform");';
const inAPlatform = (aliases: string) => program(platform, `{ parent: platform${aliases} }`);

describeLong("a cluster that moves to another parent in its program", function () {
    this.timeout(120_000);
    let stack: PaperStack | undefined;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {}, atTheTop);
        const { exitCode, output } = await stack.operation("up");
        assert.equal(exitCode, 0, output);
    });
    after(() => stack?.remove());

    it("would be replaced without an alias, which a preview shows", async () => {
        stack!.rewrite(inAPlatform(""));
        const { changes } = await stack!.operation("preview");
        assert((changes.create ?? 0) > 50 && (changes.delete ?? 0) > 50, JSON.stringify(changes));
    });

    it("stays the same with an alias, down to the last resource", async () => {
        stack!.rewrite(inAPlatform(", aliases: [{ parent: pulumi.rootStackResource }]"));
        const { exitCode, output, changes } = await stack!.operation("preview");
        assert.equal(exitCode, 0, output);
        const { same, ...others } = changes;
        assert.deepEqual(others, { create: 1 }, output);
        assert((same ?? 0) > 50);
        const up = await stack!.operation("up");
        assert.deepEqual([up.exitCode, up.changes.create, up.changes.delete], [0, 1, undefined], up.output);
    });
});
