import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../dev/release/empty-project";
import type { Account } from "../../simulator/clouds/aws/account";
import { itLong } from "../takes-long";
import { change, takeExample } from "./package/languages";
import { PaperProgram } from "./package/paper-program";
import { type Run, succeeded } from "./workspace";

/** The network of `examples/aws-network-program.ts`. */
const network = {
    vpc: {
        type: "aws:ec2:Vpc",
        properties: {
            cidrBlock: "10.60.0.0/16",
            enableDnsSupport: true,
            enableDnsHostnames: true,
            tags: { Name: "team" },
        },
    },
    gateway: { type: "aws:ec2:InternetGateway", properties: { vpcId: "${vpc.id}" } },
    table: { type: "aws:ec2:RouteTable", properties: { vpcId: "${vpc.id}" } },
    route: {
        type: "aws:ec2:Route",
        properties: {
            routeTableId: "${table.id}",
            destinationCidrBlock: "0.0.0.0/0",
            gatewayId: "${gateway.id}",
        },
    },
    "subnet-a": subnet("a", "10.60.0.0/24"),
    "subnet-b": subnet("b", "10.60.1.0/24"),
    "routed-a": routed("subnet-a"),
    "routed-b": routed("subnet-b"),
    zone: { type: "aws:route53:Zone", properties: { name: "team.example.org" } },
};

function subnet(zone: string, cidrBlock: string) {
    const availabilityZone = `eu-central-1${zone}`;
    const properties = { vpcId: "${vpc.id}", availabilityZone, cidrBlock, mapPublicIpOnLaunch: true };
    return { type: "aws:ec2:Subnet", properties };
}

function routed(name: string) {
    const properties = { routeTableId: "${table.id}", subnetId: `\${${name}.id}` };
    return { type: "aws:ec2:RouteTableAssociation", properties };
}

/** A cluster in that network. */
const brought = {
    domain: "team.example.org",
    publicZone: "${zone.zoneId}",
    vpcId: "${vpc.id}",
    vpcCidr: "10.60.0.0/16",
    subnetIds: ["${subnet-a.id}", "${subnet-b.id}"],
    tags: { network: "${vpc.id}", cost: "42" },
    workerPools: [{ name: "default" }],
    zones: undefined,
};

/** What the documentation says for workloads in the cluster. */
const inCluster = {
    workloads: {
        type: "pulumi:providers:kubernetes",
        properties: { kubeconfig: "${program.kubeconfig}", clusterIdentifier: "${program.clusterIdentifier}" },
        options: { dependsOn: ["${program}"] },
    },
    shop: {
        type: "kubernetes:core/v1:Namespace",
        properties: { metadata: { name: "shop" } },
        options: { provider: "${workloads}" },
    },
};

describe("a YAML program that creates a VPC, a zone and a cluster in them, by the plugin,", function () {
    this.timeout(200_000);
    let program: PaperProgram;
    let account: Account;
    let existing: readonly string[];
    let folder: string;
    let example: { readonly properties: object };

    const write = (properties: object, options: object = {}) =>
        change(program.workspace, ({ resources, ...rest }) => {
            example ??= resources.program;
            const cluster = {
                ...example,
                properties: { ...example.properties, ...brought, ...properties },
                options: { dependsOn: ["${route}", "${routed-a}", "${routed-b}"], ...options },
            };
            return { ...rest, resources: { ...network, program: cluster, ...inCluster } };
        });

    /** The engine's steps in the last operation, in order. */
    const steps = (): string[] =>
        program.workspace
            .read("events.jsonl")
            .trim()
            .split("\n")
            .flatMap((line) => JSON.parse(line).resourcePreEvent?.metadata ?? [])
            .map(({ op, urn }) => `${op} ${urn.slice(urn.lastIndexOf("::") + 2)}`);

    before(async () => {
        program = await PaperProgram.create();
        account = program.accounts[0] as Account;
        existing = account.left;
        // The CLI writes the plugin's schema next to its folder.
        folder = mkdtempSync(join(tmpdir(), "tradewind-plugin-"));
        symlinkSync(root, join(folder, "tradewind"));
        await takeExample(program.workspace, "yaml", join(folder, "tradewind"));
        await program.workspace.pulumi("config", "set", "aws:region", "eu-central-1");
    });
    after(() => {
        program?.remove();
        rmSync(folder, { recursive: true, force: true });
    });

    it("is previewed whole, and the preview names what it could not check", async () => {
        write({});
        const { output } = await succeeded(program.workspace.operation("preview"));
        assert.match(output, /not checked in this preview, .*: publicZone, subnetIds, tags\.network, vpcId\. /);
        assert.match(output, /Instance\s+program-controller-0/);
    });

    it("is refused where what shapes the cluster comes from another resource", async () => {
        for (const [properties, argument] of [
            [{ kubernetesVersion: "${vpc.id}" }, "kubernetesVersion"],
            [{ workerPools: [{ name: "${vpc.id}" }] }, "workerPools[0].name"],
            [{ vpcCidr: "${vpc.ipv6CidrBlock}" }, "vpcCidr"],
        ] as const) {
            write(properties);
            const { exitCode, output } = await program.workspace.operation("preview");
            assert.notEqual(exitCode, 0);
            const refusal = `${argument} must be a plain value known at preview (got an output or a secret): give the value`;
            assert.ok(output.includes(refusal), output);
        }
    });

    it("is refused with resource options that would reach nothing", async () => {
        for (const [option, value] of [
            ["ignoreChanges", ["workerPools"]],
            ["replaceOnChanges", ["workerPools"]],
            ["customTimeouts", { create: "1h" }],
        ] as const) {
            write({}, { [option]: value });
            const { exitCode, output } = await program.workspace.operation("preview");
            assert.notEqual(exitCode, 0, option);
            assert.match(output, new RegExp(`${option} of a cluster reaches none of its resources: `));
        }
    });

    it("is created in one up, and unchanged in the next preview", async () => {
        write({});
        await succeeded(program.workspace.up());
        const [vpc] = Object.entries(account.resources.vpcs).find(([, { name }]) => name === "team")!;
        const nodes = account.all("instances");
        assert.equal(nodes.length, 2);
        assert.ok(nodes.every((each) => each.vpc === vpc && each.tags?.network === vpc && each.tags.cost === "42"));
        const { changes, output } = await succeeded(program.workspace.operation("preview"));
        assert.deepEqual(Object.keys(changes), ["same"]);
        assert.doesNotMatch(output, /not checked in this preview/);
    });

    // In every run: own-workloads.test.ts, in TypeScript.
    itLong("replaces nothing that it creates in the cluster, over other CAs and another controller", async () => {
        const isKept = (running: Promise<Run>) =>
            succeeded(running).then(() => {
                const done = steps().filter((step) => Object.keys(inCluster).includes(step.split(" ")[1]!));
                assert.equal(done.length, 2);
                assert.ok(
                    done.every((step) => /^(same|update) /.test(step)),
                    done.join(),
                );
            });
        write({ keys: { kubernetesCa: [1, 2] } });
        await isKept(program.workspace.operation("preview"));
        await isKept(program.workspace.up());
        write({ keys: { kubernetesCa: [1, 2] }, recreate: ["program-controller-0"] });
        await isKept(program.workspace.operation("preview"));
        assert.ok(steps().includes("replace program-controller-0"));
    });

    it("is destroyed whole, what is in the cluster first", async () => {
        await succeeded(program.workspace.destroy());
        assert.deepEqual(account.left, existing);
        assert.deepEqual(steps().slice(0, 2), ["delete shop", "delete workloads"]);
    });
});
