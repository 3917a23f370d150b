import assert from "node:assert/strict";
import { mapValues } from "../../cluster/manifest";
import { itLong } from "../takes-long";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";

interface Choices {
    readonly config: Readonly<Record<string, unknown>>;
    /** A requested change of an existing cluster, and the preview's message. */
    readonly refused: readonly (readonly [config: Readonly<Record<string, unknown>>, message: RegExp])[];
}

const clouds: Readonly<Partial<Record<CloudName, Choices>>> = {
    aws: {
        config: { "aws:region": "eu-central-1", "tradewind:controllers": 3 },
        refused: [
            [
                { "tradewind:apiAccess": "internal" },
                /apiAccess cannot be changed after creation \(is public, got internal\)/,
            ],
            [
                { "tradewind:topology": "private" },
                /topology cannot be changed after creation \(is public, got private\)/,
            ],
            [
                { "tradewind:vpcCidr": "10.1.0.0/16" },
                /vpcCidr cannot be changed after creation \(is 10\.0\.0\.0\/16, got 10\.1\.0\.0\/16\)/,
            ],
            [
                { "tradewind:domain": "example.org" },
                /domain cannot be changed after creation \(is example\.com, got example\.org\)/,
            ],
            [
                { "tradewind:clusterDomain": "corp.internal" },
                /network\.clusterDomain cannot be changed after creation \(is cluster\.local, got corp\.internal\)/,
            ],
            [{ "tradewind:zones": ["a", "b"] }, /zones must include c, where \w+-controller-2 is \(got a, b\)/],
            [
                {
                    "tradewind:controllers": { count: 3, instanceType: "m7g.large" },
                },
                /controllers\.instanceType must remain amd64 like \w+-controller-\d \(got m7g\.large\)/,
            ],
            [
                {
                    "tradewind:vpcId": "vpc-0123456789abcdef0",
                    "tradewind:vpcCidr": "10.40.0.0/16",
                    "tradewind:subnetIds": ["subnet-0123456789abcde01"],
                },
                /vpcId cannot be changed after creation \(is vpc-\w+, got vpc-0123456789abcdef0\)/,
            ],
        ],
    },
    digitalocean: {
        config: { "tradewind:region": "fra1", "tradewind:image": "170000001", "tradewind:sshKeys": ["42"] },
        refused: [
            [
                { "tradewind:apiLoadBalancer": false },
                /apiLoadBalancer cannot be changed after creation \(is true, got false\)/,
            ],
            [{ "tradewind:region": "ams3" }, /region cannot be changed after creation \(is fra1, got ams3\)/],
            [
                { "tradewind:vpcCidr": "172.25.0.0/20" },
                /vpcCidr cannot be changed after creation \(is 172\.24\.0\.0\/20, got 172\.25\.0\.0\/20\)/,
            ],
            [
                { "tradewind:domain": "example.org" },
                /domain cannot be changed after creation \(is example\.com, got example\.org\)/,
            ],
            [
                { "tradewind:clusterDomain": "corp.internal" },
                /network\.clusterDomain cannot be changed after creation \(is cluster\.local, got corp\.internal\)/,
            ],
            [
                { "tradewind:ipv6": true, "tradewind:image": "ubuntu-26-04-x64" },
                /ipv6 cannot be changed after creation \(is false, got true\)/,
            ],
        ],
    },
};

for (const [cloud, { config, refused }] of Object.entries(clouds) as [CloudName, Choices][]) {
    describe(`immutable options of a cluster on ${cloud}`, function () {
        this.timeout(400_000);
        let stack: PaperStack;
        const whole = { ...config, "tradewind:domain": "example.com" };

        before(async () => {
            stack = await PaperStack.create(cloud, whole);
            const { exitCode, output } = await stack.operation("up");
            assert.equal(exitCode, 0, output);
        });
        after(() => stack?.remove());

        for (const [asked, message] of refused) {
            const option = Object.keys(asked)[0]!.replace("tradewind:", "");
            (option === "clusterDomain" ? it : itLong)(`cannot be changed in preview: ${option}`, async () => {
                const before = stack.account.left;
                stack.configure(asked);
                const { exitCode, output } = await stack.operation("preview");
                stack.configure({ ...mapValues(asked, () => undefined), ...whole });
                assert.notEqual(exitCode, 0, output);
                assert.match(output, message);
                assert.doesNotMatch(output, / {4}at .*\.ts/);
                assert.deepEqual(stack.account.left, before);
            });
        }

        it("require no change when set to their original values", async () => {
            const { exitCode, output, changes } = await stack.operation("preview", "--expect-no-changes");
            assert.equal(exitCode, 0, output);
            assert.deepEqual(Object.keys(changes), ["same"]);
        });
    });
}
