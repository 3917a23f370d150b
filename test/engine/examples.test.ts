import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { Account as AwsAccount } from "../../simulator/aws/account";
import { Account as DigitalOceanAccount } from "../../simulator/digitalocean/account";
import { Workspace } from "./workspace";

const root = resolve(__dirname, "../..");
const examples = join(root, "examples");
const vpc = "vpc-0123456789abcdef0";
const subnets = ["01", "02", "11", "12"];

describe("an example", function () {
    this.timeout(120_000);
    let folder: string;
    let workspace: Workspace | undefined;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-examples-"));
    });
    afterEach(() => {
        workspace?.remove();
        rmSync(folder, { recursive: true });
    });

    const path = () => join(folder, "account.json");
    const openAws = () => {
        const account = AwsAccount.open(path(), {
            region: "eu-central-1",
            zones: { Z1: "example.com" },
            amis: {
                "ami-0123456789abcdef0": "Flatcar-stable-4593.1.0-hvm",
                "ami-0123456789abcdef1": "Flatcar-stable-4593.1.0-arm64-hvm",
            },
        });
        account.put("vpcs", vpc, { name: "theirs", cidr: "10.40.0.0/16" });
        for (const [index, end] of subnets.entries()) {
            const where = { vpc, cidr: `10.40.${index}.0/24`, zone: `eu-central-1${"ab"[index % 2]}` };
            account.put("subnets", `subnet-0123456789abcde${end}`, { name: end, ...where });
        }
        return account;
    };
    const openDigitalOcean = () => {
        const owned = { domains: ["example.com"], images: { 170000001: "ignition" }, sshKeys: ["42"] } as const;
        return DigitalOceanAccount.open(path(), owned);
    };
    const preview = async (program: string, config: Record<string, unknown>) => {
        const asked = {
            PATH: [join(root, "simulator/clouds"), process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            TRADEWIND_SIMULATED_ACCOUNT: path(),
            AWS_REGION: "",
            AWS_ACCESS_KEY_ID: "",
            DIGITALOCEAN_TOKEN: "",
        };
        workspace = await Workspace.create(`module.exports = require(${JSON.stringify(join(root, program))});`, asked);
        const file = parse(workspace.read("Pulumi.test.yaml"));
        workspace.write("Pulumi.test.yaml", stringify({ ...file, config: { ...file.config, ...config } }));
        return workspace.preview();
    };

    const configs = readdirSync(examples).filter((name) => name.endsWith(".yaml"));
    for (const name of configs) {
        it(`previews a cluster: ${name}`, async () => {
            const { config } = parse(readFileSync(join(examples, name), "utf8"));
            const account = config["tradewind:cloud"] === "aws" ? openAws() : openDigitalOcean();
            const before = account.left;
            const { exitCode, output, changes } = await preview("stacks", config);
            assert.equal(exitCode, 0, output);
            assert.ok((changes.create ?? 0) > 100, `${changes.create} resources`);
            assert.deepEqual(account.left, before);
        });
    }

    it("is a program: aws-program.ts", async () => {
        openAws();
        const { exitCode, output } = await preview("examples/aws-program.ts", { "aws:region": "eu-central-1" });
        assert.equal(exitCode, 0, output);
        assert.match(output, /ingressName: "ingress\.program\.example\.com"/);
    });

    it("of an existing network is refused in preview when a subnet is not there, or of another VPC", async () => {
        const account = openAws();
        const { config } = parse(readFileSync(join(examples, "Pulumi.aws-existing-network.yaml"), "utf8"));
        account.remove("subnets", "subnet-0123456789abcde02");
        const { exitCode, output } = await preview("stacks", config);
        assert.notEqual(exitCode, 0);
        assert.match(output, /subnetIds\[1\] must be that of a subnet in the region, got subnet-0123456789abcde02: /);
        assert.doesNotMatch(output, /existing-network\.ts/);
    });
});
