import assert from "node:assert/strict";
import { describeLong } from "../takes-long";
import { golden } from "../unit/golden";
import type { CloudName } from "./paper/clouds";
import { PaperStack, type Resource } from "./paper/paper-stack";
import { readPreview } from "./paper/readable-preview";
import { succeeded } from "./workspace";

interface Machines {
    readonly config: Readonly<Record<string, unknown>>;
    /** Types of machines and of resources that create them. */
    readonly types: readonly string[];
    /** The type of the resource with machines' configs, and its input. */
    readonly configs: readonly [type: string, input: string];
    /** A machine that existed before, and one that is created last. */
    readonly names: readonly [old: string, later: string];
}

const clouds: Readonly<Partial<Record<CloudName, Machines>>> = {
    aws: {
        config: { "aws:region": "eu-central-1", "tradewind:workerPools": [{ name: "default", instanceRefresh: {} }] },
        types: ["aws:ec2/instance:Instance", "aws:autoscaling/group:Group"],
        configs: ["aws:s3/bucketObjectv2:BucketObjectv2", "content"],
        names: ["test-controller-0-config", "test-default-config"],
    },
    digitalocean: {
        config: {
            "tradewind:region": "fra1",
            // Another host may have a load balancer's address, and its certificate would be rejected. This name does
            // not resolve.
            "tradewind:apiLoadBalancer": false,
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:workerPools": [{ name: "default" }],
        },
        types: ["digitalocean:index/droplet:Droplet"],
        configs: ["digitalocean:index/droplet:Droplet", "userData"],
        names: ["test-default-0", "test-default-1"],
    },
};

const steps = [[1, 2], [2, 1], [2]];

for (const [cloud, { config, types, configs, names }] of Object.entries(clouds) as [CloudName, Machines][]) {
    describeLong(`a rotation of the Kubernetes CA on ${cloud}, in a dry run`, function () {
        this.timeout(180_000);
        let stack: PaperStack;
        let machines: readonly string[];

        const machinesOf = (resources: readonly Resource[]) =>
            resources.filter(({ type }) => types.includes(type)).map(({ name, outputs }) => `${name} ${outputs.id}`);
        const authority = (resources: readonly Resource[], name: string) =>
            resources.find(
                (each) =>
                    each.type === "tls:index/selfSignedCert:SelfSignedCert" &&
                    (each.outputs.subject as { commonName?: string } | undefined)?.commonName === name,
            )?.outputs.certPem as string | undefined;
        /** The CAs that a machine boots with. */
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
            });
            await succeeded(stack.operation("up"));
            machines = machinesOf(await stack.resources());
            assert.ok(machines.length > 1, machines.join());
        });
        after(() => stack?.remove());

        let firstPem: string | undefined;

        for (const list of steps) {
            it(`reaches ${JSON.stringify(list)} with an up that replaces no machine, and a second up changes nothing`, async () => {
                firstPem ??= authority(await stack.resources(), "kubernetes-ca");
                stack.configure({ "tradewind:keys": { kubernetesCa: list } });
                const { output } = await succeeded(stack.operation("preview", "--diff"));
                const headings = readPreview(output).map(({ heading }) => heading);
                golden(
                    __dirname,
                    `authorities-${list.join("-")}-on-${cloud}`,
                    headings.map((each) => `${each}\n`).join(""),
                );
                await succeeded(stack.operation("up"));
                assert.deepEqual(machinesOf(await stack.resources()), machines);
                const { changes } = await succeeded(stack.operation("up"));
                assert.deepEqual(Object.keys(changes), ["same"]);
            });
        }

        it("makes later machines trust only the new CA, and leaves those that boot with the first one unchanged", async () => {
            stack.configure({
                "tradewind:workerPools": (config["tradewind:workerPools"] as object[]).map((pool) => ({
                    ...pool,
                    count: 2,
                })),
            });
            await succeeded(stack.operation("up"));
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
