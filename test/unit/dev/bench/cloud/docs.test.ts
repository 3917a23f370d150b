import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { monthlyCost } from "../../../../../cli/verify-cloud/cost/bill";
import { billOf } from "../../../../../cli/verify-cloud/cost/bill-of-stack";
import { kinds } from "../../../../../dev/bench/cloud";
import { configOf } from "../../../../../dev/bench/cloud/on-paper";
import { type MeasuredCloud, peers, typhoonsPlan } from "../../../../../dev/bench/cloud/peers";
import type { AwsKeys } from "../../../../../stacks/aws-keys";
import type { Read } from "../../../../../stacks/options";
import { programOptions } from "../../../../../stacks/program-options";
import { deployAws } from "../../../components/aws/deploy-aws";
import { deployDigitalOcean } from "../../../components/digitalocean/deploy-digitalocean";

const docs = readFileSync(join(resolve(__dirname, "../../../../.."), "docs/cloud-costs.md"), "utf8");

/** Resources of a stack with this configuration. */
async function resourcesOf(cloud: MeasuredCloud, path: string, extra: object = {}) {
    const own = Object.entries(configOf(path)).filter(([key]) => key.startsWith("tradewind:"));
    const config = { ...Object.fromEntries(own.map(([key, value]) => [key.slice(10), value])), ...extra };
    const options = programOptions(config as unknown as Read<AwsKeys>) as object;
    const { resources } = cloud === "aws" ? await deployAws(options) : await deployDigitalOcean(options);
    return resources.map(({ type, name, inputs }) => ({ urn: `::${name}`, type, id: `${name}-id`, inputs }));
}

/** The cells of the row with this first cell. */
function rowOf(title: string, cells: number): string[] {
    const [, ...found] = docs.match(new RegExp(`^\\| ${title} +${"\\| (\\d*) *".repeat(cells)}\\|$`, "m")) ?? [];
    return found;
}

describe("docs/cloud-costs.md", function () {
    this.timeout(60_000);

    for (const [title, cloud, path] of [
        ["AWS, smallest", "aws", "stacks/Pulumi.aws-small.yaml"],
        ["AWS, production", "aws", "stacks/Pulumi.aws-production.yaml"],
        ["DigitalOcean, smallest", "digitalocean", "stacks/Pulumi.do-smallest.yaml"],
        ["DigitalOcean, small", "digitalocean", "stacks/Pulumi.do-small.yaml"],
        ["DigitalOcean, production", "digitalocean", "stacks/Pulumi.do-production.yaml"],
    ] as const satisfies (readonly [string, MeasuredCloud, string])[]) {
        it(`contains the monthly price: ${title}`, async () => {
            const ours = billOf(await resourcesOf(cloud, path));
            const costs = [ours, ...peers.map((peer) => peer.bill[cloud](ours))].map((bill) =>
                monthlyCost(cloud, bill),
            );
            assert.deepEqual(
                rowOf(title, 3),
                costs.map((cost) => cost.toFixed(0)),
            );
        });
    }

    const twoWorkers = { workerPools: [{ name: "default", count: 2 }] };
    for (const [title, cloud, path, extra] of [
        ["AWS, smallest", "aws", "stacks/Pulumi.aws-small.yaml"],
        ["AWS, with two workers", "aws", "stacks/Pulumi.aws-small.yaml", twoWorkers],
        ["AWS, production", "aws", "stacks/Pulumi.aws-production.yaml"],
        ["DigitalOcean, smallest", "digitalocean", "stacks/Pulumi.do-smallest.yaml"],
        ["DigitalOcean, small", "digitalocean", "stacks/Pulumi.do-small.yaml"],
        ["DigitalOcean, with two workers", "digitalocean", "stacks/Pulumi.do-small.yaml", twoWorkers],
        ["DigitalOcean, production", "digitalocean", "stacks/Pulumi.do-production.yaml"],
    ] as readonly (readonly [string, MeasuredCloud, string, object?])[]) {
        it(`contains the number of resources: ${title}`, async () => {
            const { [cloud]: ofCloud, tls, kubernetes, command } = kinds(await resourcesOf(cloud, path, extra));
            const all = [ofCloud, tls, kubernetes, command].reduce((sum, each) => sum! + each!, 0);
            const peer = extra ? String(typhoonsPlan[cloud]) : "";
            assert.deepEqual(rowOf(title, 5), [...[ofCloud, tls, kubernetes, all].map(String), peer]);
        });
    }
});
