import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { monthlyCost } from "../../../../bench/cloud/bill";
import { billOf } from "../../../../bench/cloud/bill-of-stack";
import { configOf } from "../../../../bench/cloud/on-paper";
import { peers } from "../../../../bench/cloud/peers";
import type { CloudName } from "../../../../bench/cloud/prices";
import { cloudOptions } from "../../../../stacks/cloud-options";
import type { AwsConfig } from "../../../../stacks/config";
import { deployAws } from "../../components/aws/deploy-aws";
import { deployDigitalOcean } from "../../components/digitalocean/deploy-digitalocean";

const docs = readFileSync(join(resolve(__dirname, "../../../.."), "docs/cloud-costs.md"), "utf8");

/** The options of a component that a stack's configuration gives. */
function optionsOf(path: string) {
    const own = Object.entries(configOf(path)).filter(([key]) => key.startsWith("tradewind:"));
    return cloudOptions(Object.fromEntries(own.map(([key, value]) => [key.slice(10), value])) as unknown as AwsConfig);
}

describe("docs/cloud-costs.md", function () {
    this.timeout(60_000);

    for (const [title, cloud, path] of [
        ["AWS, smallest", "aws", "stacks/Pulumi.aws-small.yaml"],
        ["AWS, production", "aws", "examples/Pulumi.aws-private.yaml"],
        ["DigitalOcean, smallest", "digitalocean", "stacks/Pulumi.do-smallest.yaml"],
        ["DigitalOcean, small", "digitalocean", "stacks/Pulumi.do-small.yaml"],
        ["DigitalOcean, production", "digitalocean", "examples/Pulumi.do-pools.yaml"],
    ] as const satisfies (readonly [string, CloudName, string])[]) {
        it(`has what a month costs: ${title}`, async () => {
            const options = optionsOf(path) as object;
            const { resources } = cloud === "aws" ? await deployAws(options) : await deployDigitalOcean(options);
            const state = resources.map(({ type, name, inputs }) => ({
                urn: `::${name}`,
                type,
                id: `${name}-id`,
                inputs,
            }));
            const ours = billOf(state);
            const costs = [ours, ...peers.map((peer) => peer.bill(cloud, ours))].map((bill) =>
                monthlyCost(cloud, bill),
            );
            const [, ...cells] =
                docs.match(new RegExp(`^\\| ${title} +\\| (\\d+) +\\| (\\d+) +\\| (\\d+) +\\|$`, "m")) ?? [];
            assert.deepEqual(
                cells,
                costs.map((cost) => cost.toFixed(0)),
            );
        });
    }
});
