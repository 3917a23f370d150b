import assert from "node:assert/strict";
import { golden } from "../unit/golden";
import type { CloudName } from "./paper/clouds";
import { PaperStack, type Resource } from "./paper/paper-stack";
import { readPreview } from "./paper/readable-preview";
import type { Run } from "./workspace";

interface Machines {
    readonly config: Readonly<Record<string, unknown>>;
    /** Types of what is, or makes, a machine. */
    readonly types: readonly string[];
    /** The type of what has machines' configs, and the input. */
    readonly configs: readonly [type: string, input: string];
    /** Of a machine that was there before, and of one that comes after all. */
    readonly names: readonly [old: string, later: string];
}

const clouds: Readonly<Record<CloudName, Machines>> = {
    aws: {
        config: { "aws:region": "eu-central-1", "tradewind:pools": [{ name: "default", instanceRefresh: {} }] },
        types: ["aws:ec2/instance:Instance", "aws:autoscaling/group:Group"],
        configs: ["aws:s3/bucketObjectv2:BucketObjectv2", "content"],
        names: ["test-controller-0-config", "test-default-config"],
    },
    digitalocean: {
        config: {
            "tradewind:region": "fra1",
            // At a load balancer's address may be somebody else, whose certificate would be refused. A name nobody knows.
            "tradewind:hasApiLoadBalancer": false,
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:pools": [{ name: "default" }],
        },
        types: ["digitalocean:index/droplet:Droplet"],
        configs: ["digitalocean:index/droplet:Droplet", "userData"],
        names: ["test-default-0", "test-default-1"],
    },
};

const steps = [[1, 2], [2, 1], [2]];

for (const [cloud, { config, types, configs, names }] of Object.entries(clouds) as [CloudName, Machines][]) {
    describe(`another Kubernetes authority on ${cloud}, on paper`, function () {
        this.timeout(180_000);
        let stack: PaperStack;
        let machines: readonly string[];

        const succeeds = async (running: Promise<Run>) => {
            const run = await running;
            assert.equal(run.exitCode, 0, run.output);
            return run;
        };
        const machinesOf = (resources: readonly Resource[]) =>
            resources.filter(({ type }) => types.includes(type)).map(({ name, outputs }) => `${name} ${outputs.id}`);
        const authority = (resources: readonly Resource[], name: string) =>
            resources.find(
                (each) =>
                    each.type === "tls:index/selfSignedCert:SelfSignedCert" &&
                    (each.outputs.subject as { commonName?: string } | undefined)?.commonName === name,
            )?.outputs.certPem as string | undefined;
        /** Which authorities a machine boots with. */
        const trustedBy = (resources: readonly Resource[], machine: string, pems: readonly (string | undefined)[]) => {
            const found = resources.find(({ type, name }) => type === configs[0] && name === machine);
            const { storage } = JSON.parse(found!.inputs[configs[1]] as string) as {
                storage: { files: { path: string; contents: { source: string } }[] };
            };
            const { source } = storage.files.find(({ path }) => path === "/etc/kubernetes/pki/ca.crt")!.contents;
            const [, encoding, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(source)!;
            const text = encoding ? Buffer.from(data!, "base64").toString() : decodeURIComponent(data!);
            return pems.map((pem) => pem !== undefined && text.includes(pem));
        };

        before(async () => {
            stack = await PaperStack.create(cloud, {
                ...config,
                "tradewind:domain": "example.com",
                "tradewind:downloads": { kubelet: { sha256: "0".repeat(64) } },
            });
            await succeeds(stack.operation("up"));
            machines = machinesOf(await stack.resources());
            assert.ok(machines.length > 1, machines.join());
        });
        after(() => stack?.remove());

        let firstPem: string | undefined;

        for (const list of steps) {
            it(`has ${JSON.stringify(list)} by an up that replaces no machine, and another changes nothing`, async () => {
                firstPem ??= authority(await stack.resources(), "kubernetes-ca");
                stack.configure({ "tradewind:keys": { kubernetesCa: list } });
                const { output } = await succeeds(stack.operation("preview", "--diff"));
                const headings = readPreview(output).map(({ heading }) => heading);
                golden(
                    __dirname,
                    `authorities-${list.join("-")}-on-${cloud}`,
                    headings.map((each) => `${each}\n`).join(""),
                );
                await succeeds(stack.operation("up"));
                assert.deepEqual(machinesOf(await stack.resources()), machines);
                const { changes } = await succeeds(stack.operation("up"));
                assert.deepEqual(Object.keys(changes), ["same"]);
            });
        }

        it("has machines that come afterwards trust the other alone, and leaves those as they are that boot with the first", async () => {
            stack.configure({
                "tradewind:pools": (config["tradewind:pools"] as object[]).map((pool) => ({ ...pool, count: 2 })),
            });
            await succeeds(stack.operation("up"));
            const resources = await stack.resources();
            const pems = [firstPem, authority(resources, "kubernetes-ca-2")];
            assert.ok(pems.every((pem) => pem?.startsWith("-----BEGIN")));
            assert.deepEqual(
                names.map((name) => trustedBy(resources, name, pems)),
                [
                    [true, false],
                    [false, true],
                ],
            );
        });
    });
}
