import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";

const acme = "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679";
const other = "9cc10173-e9ea-4176-9dbc-a4cee4c4ff30";

describe("a project of DigitalOcean, with the real engine in a dry run,", function () {
    this.timeout(240_000);
    let stack: PaperStack;

    const succeeds = async (command: "up" | "destroy") => {
        const { exitCode, output } = await stack.operation(command);
        assert.equal(exitCode, 0, output);
    };
    /** Projects of everything that can be in one, without duplicates. */
    const projects = () => {
        const { droplets, volumes, loadBalancers, spacesBuckets } = (stack.account as Account).resources;
        const all = [droplets, volumes, loadBalancers, spacesBuckets].map((kind) => Object.values(kind));
        for (const kind of all) assert.notEqual(kind.length, 0);
        return [...new Set(all.flat().map(({ project }) => project))];
    };

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:workerPools": [{ name: "default" }, { name: "old" }],
            "tradewind:ingress": {},
            "tradewind:tags": ["infra"],
            "tradewind:snapshotSpace": { name: "acme-snapshots" },
        });
    });
    after(() => stack?.remove());

    it("is rejected in preview if the account has none with that name or id", async () => {
        for (const [project, said] of [
            ["gone", "No projects found with name 'gone'"],
            [other.replace("9", "8"), "Unable to load project ID 8cc10173"],
        ]) {
            stack.configure({ "tradewind:project": project });
            const { exitCode, output } = await stack.operation("preview");
            assert.notEqual(exitCode, 0);
            const message = `project must be the name or id of a project of the account (got ${project}): `;
            assert.ok(output.includes(message) && output.includes(said!), output);
            assert.doesNotMatch(output, / {4}at .*\.ts/);
        }
    });

    it("contains everything of a cluster that can be in a project, found by its name", async () => {
        stack.configure({ "tradewind:project": "acme" });
        await succeeds("up");
        assert.deepEqual(projects(), [acme]);
    });

    it("keeps everything when machines are added and removed, and when load balancers change", async () => {
        stack.configure({ "tradewind:controllers": 3, "tradewind:workerPools": [{ name: "default", count: 2 }] });
        await succeeds("up");
        assert.deepEqual(projects(), [acme]);
    });

    it("adds our tags to resources that have tags, in addition to their own, and removes them again", async () => {
        const { account } = stack as unknown as { account: Account };
        const tagged = (tag: string) =>
            [account.resources.droplets, account.resources.volumes].map((kind) =>
                Object.values(kind).every(({ tags }) => tags?.includes(tag)),
            );
        assert.deepEqual(tagged("infra"), [true, true]);
        stack.configure({ "tradewind:tags": ["stage:prod"] });
        await succeeds("up");
        assert.deepEqual(
            [tagged("stage:prod"), tagged("infra")],
            [
                [true, true],
                [false, false],
            ],
        );
    });

    it("moves everything to another project, found by its id", async () => {
        stack.configure({ "tradewind:project": other });
        await succeeds("up");
        assert.deepEqual(projects(), [other]);
    });

    it("can be emptied by a destroy", async () => {
        await succeeds("destroy");
        // The Space of snapshots outlives the cluster.
        assert.deepEqual(stack.account.left, ["spacesBuckets acme-snapshots"]);
    });
});
