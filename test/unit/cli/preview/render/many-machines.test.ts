import assert from "node:assert/strict";
import { machineConfigs } from "../../../../../cli/preview/machine-configs";
import type { Operation, Preview, Step } from "../../../../../cli/preview/model";
import { comment } from "../../../../../cli/preview/render/comment";
import { githubLimit } from "../../../../../cli/preview/render/fit";
import { config, file, render } from "../../../../../ignition";

const nodes = Array.from({ length: 1000 }, (_, index) => `c-default-${index}`);
const urnOf = (type: string, name: string) =>
    `urn:pulumi:prod::shop::tradewind:index:DigitalOceanCluster$${type}::${name}`;

function step(type: string, name: string, operation: Operation): Step {
    const values = { name, region: "fra1", size: "s-2vcpu-4gb", tags: ["c-nodes"], userData: "[secret]" };
    return {
        ...{ operation, type, name, urn: urnOf(type, name) },
        parent: "urn:pulumi:prod::shop::tradewind:index:DigitalOceanCluster::c",
        ...(operation !== "create" && { old: values }),
        ...(operation !== "delete" && { new: { ...values, size: "s-4vcpu-8gb" } }),
        ...{ changed: ["size"], replaces: [], isDeletedFirst: true },
    };
}

/** What a droplet's three resources make of a preview. */
const previewOf = (operation: Operation): Preview => ({
    ...{ project: "shop", stack: "prod", diagnostics: [], isComplete: true },
    steps: nodes.flatMap((node) => [
        step("digitalocean:index/droplet:Droplet", node, operation),
        step("command:local:Command", `c-token-lifetime-${node}`, operation === "update" ? "same" : operation),
        step("kubernetes:core/v1:Secret", `c/bootstrap-token/${node}`, operation === "update" ? "same" : operation),
    ]),
});

const rows = {
    create: /^\| `c-default-0` … `c-default-999` \| 1000 machines added \| none \|$/m,
    update: /^\| `c-default-0` … `c-default-999` \| 1000 machines stopped to be resized \(size s-2vcpu-4gb → s-4vcpu-8gb\) \| drained first/m,
    delete: /^\| `c-default-0` … `c-default-999` \| 1000 machines removed \| drained first/m,
};

describe("the comment about a thousand machines", function () {
    this.timeout(20_000);

    for (const [operation, row] of Object.entries(rows)) {
        it(`has one row for all of a pool, and fits: ${operation}`, () => {
            const preview = previewOf(operation as Operation);
            const text = comment([{ stack: "prod", preview }], {
                project: "shop",
                limit: githubLimit,
                rest: "in the log",
            });
            assert.match(text, row);
            assert.ok(text.length < githubLimit, `${text.length}`);
            assert.equal(text.match(/^\| `c-default-/gm)?.length, 1);
        });
    }

    it("has rows for few machines, and for each change of a pool", () => {
        const { steps, ...preview } = previewOf("create");
        const some = [...steps.slice(0, 9), step("digitalocean:index/droplet:Droplet", "c-default-9", "delete")];
        const text = comment([{ stack: "prod", preview: { ...preview, steps: some } }], {
            ...{ project: "shop", limit: githubLimit, rest: "in the log" },
        });
        assert.deepEqual(
            text.match(/^\| `c-default-.*/gm)?.map((line) => line.split(" | ").slice(0, 2).join(" ")),
            [...["| `c-default-9` removed", "| `c-default-0` added", "| `c-default-1` added", "| `c-default-2` added"]],
        );
    });

    it("hides the tokens of all machines in changes to one of them", () => {
        const token = (index: number) => `abcdef.${String(index).padStart(16, "0")}`;
        const secretOf = (value: unknown) => ({
            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            plaintext: JSON.stringify(value),
        });
        const userData = (index: number, text: string) =>
            render(
                config({
                    files: [
                        file("/etc/token", token(index), { mode: 0o600 }),
                        file("/etc/program", text.repeat(1000)),
                        file("/etc/shown", `token ${token(index)} ${text}`),
                    ],
                }),
            );
        const type = "digitalocean:index/droplet:Droplet";
        const resources = nodes.flatMap((node, index) => [
            { urn: urnOf(type, node), inputs: { name: node, userData: secretOf(userData(index, "some old text")) } },
            {
                urn: urnOf("kubernetes:core/v1:Secret", `c/bootstrap-token/${node}`),
                inputs: {
                    data: secretOf({ token: Buffer.from(token(index)).toString("base64") }),
                    note: "x".repeat(3000),
                },
            },
        ]);
        const updates = { userData: secretOf(userData(0, "some new text")) };
        const plan = { resourcePlans: { [urnOf(type, nodes[0]!)]: { goal: { inputDiff: { updates } } } } };
        const [changed, ...others] = machineConfigs(plan as never, { deployment: { resources } } as never);
        assert.deepEqual(others, []);
        assert.doesNotMatch(JSON.stringify(changed), /abcdef\.0000/);
        assert.match(JSON.stringify(changed), /some new text/);
    });
});
