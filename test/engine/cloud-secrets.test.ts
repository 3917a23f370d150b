import assert from "node:assert/strict";
import { PaperStack, type Resource } from "./cloud-secrets/paper-stack";
import { givenAway, type SecretValue, secretsOf } from "./cloud-secrets/secrets";

const downloads = { kubelet: { sha256: "0".repeat(64) } };

interface Cloud {
    readonly config: Readonly<Record<string, unknown>>;
    /** What a pool's machines are in the cloud, where its own option is. */
    readonly otherPool: object;
    /** The input that has nodes' configs, by the type of the resource. */
    readonly configs: readonly [type: string, input: string];
    /** Tokens of what runs in the cluster, by their keys. */
    readonly tokens: readonly string[];
}

const clouds: Readonly<Record<string, Cloud>> = {
    aws: {
        config: { "aws:region": "eu-central-1" },
        otherPool: { instanceType: "m7i.large" },
        configs: ["aws:s3/bucketObjectv2:BucketObjectv2", "content"],
        tokens: [],
    },
    digitalocean: {
        config: { "tradewind:region": "fra1", "tradewind:image": "170000001", "tradewind:sshKeys": ["42"] },
        otherPool: { size: "s-4vcpu-8gb" },
        configs: ["digitalocean:index/droplet:Droplet", "userData"],
        tokens: ["cloudController", "csiDriver"],
    },
};

/** By their keys: `turn` is another letter for each time that they are changed. */
const givenIn = ({ tokens }: Cloud, turn: string): Record<string, string> => ({
    "etcdSnapshots.s3.secretAccessKey": `secret-access-key-${turn.repeat(8)}`,
    "etcdSnapshots.s3.encryptionKey": Buffer.alloc(32, turn).toString("base64"),
    ...Object.fromEntries(tokens.map((name) => [`cloudTokens.${name}`, `dop_v1_${name}_${turn.repeat(8)}`])),
});

for (const [cloud, each] of Object.entries(clouds)) {
    const { config, otherPool, configs } = each;
    const given: SecretValue[] = ["k", "l"].flatMap((turn) =>
        Object.entries(givenIn(each, turn)).map(([name, value]) => ({ name: `${name} ${turn}`, traces: [value] })),
    );

    describe(`secrets of a cluster on ${cloud}, made on paper by the real engine`, function () {
        this.timeout(180_000);
        let stack: PaperStack;
        let resources: readonly Resource[];
        let secrets: readonly SecretValue[];

        const namesOf = (value: unknown) => givenAway(JSON.stringify(value) ?? "", secrets);
        const setSecrets = async (turn: string) => {
            for (const [key, value] of Object.entries(givenIn(each, turn))) {
                await stack.setSecret(`tradewind:${key}`, value);
            }
        };

        before(async () => {
            stack = await PaperStack.create({
                ...config,
                "tradewind:cloud": cloud,
                "tradewind:domain": "example.com",
                "tradewind:controllers": { count: 3 },
                "tradewind:pools": [{ name: "default" }],
                "tradewind:ingress": {},
                "tradewind:hasCloudController": true,
                "tradewind:hasCsiDriver": true,
                "tradewind:downloads": downloads,
                "tradewind:etcdSnapshots": {
                    s3: { endpoint: "https://store.example.com", bucket: "snapshots", accessKeyId: "id" },
                },
            });
            await setSecrets("k");
            const made = await stack.up("--diff");
            assert.equal(made.exitCode, 0, made.output);

            // Something of each kind: flags, machines, configs, secrets.
            await setSecrets("l");
            stack.configure({
                "tradewind:pools": [
                    { name: "default", count: 2 },
                    { name: "other", ...otherPool },
                ],
                "tradewind:components": { kubeApiserver: { v: "4" }, kubelet: { "max-pods": "50" } },
            });
            const told = await stack.run("preview", "--json");
            assert.match(told.output, /"changeSummary"/);
            const changed = await stack.up("--diff");
            assert.equal(changed.exitCode, 0, changed.output);
            assert.ok((changed.changes.update ?? 0) > 2, JSON.stringify(changed.changes));
            await stack.run("stack", "--show-urns");
            await stack.run("stack", "output", "--json");
            await stack.run("stack", "export");
            resources = await stack.resources();
            secrets = [...secretsOf(resources), ...given];
        });
        after(() => stack?.remove());

        it("are all known to this test, which finds each of them where it is", () => {
            const keys = resources.filter(({ type }) => type === "tls:index/privateKey:PrivateKey");
            assert.deepEqual(
                secrets
                    .map(({ name }) => name)
                    .filter((name) => name.startsWith("token "))
                    .sort(),
                ["token test-token-controller", "token test-token-default", "token test-token-other"],
            );
            assert.equal(secrets.length, keys.length + 3 + given.length);
            const now = secrets.filter(({ name }) => !name.endsWith(" k")).map(({ name }) => name);
            const others = resources.filter(({ type }) => !type.startsWith("tls:"));
            // A token's key is nothing but what the token is made of.
            assert.deepEqual(namesOf(others).sort(), now.filter((name) => !name.startsWith("key test-token-")).sort());
        });

        it("are nowhere in plain text in what the backend keeps: state, history, backups", () => {
            const stored = stack.stored();
            assert.ok(stored.length > 3, "no history is looked at");
            assert.deepEqual(
                stored.flatMap(({ path, text }) => givenAway(text, secrets).map((secret) => `${path}: ${secret}`)),
                [],
            );
        });

        it("are not printed by up with differences, preview as JSON, stack, output and export, nor in what is for debugging", () => {
            assert.ok(
                stack.printed.some(({ text }) => text.includes("RPC finished")),
                "nothing is for debugging",
            );
            assert.deepEqual(stack.printedSecrets(secrets), []);
        });

        it("are in the kubeconfig alone of the stack's outputs", () => {
            const { outputs } = resources.find(({ type }) => type === "pulumi:pulumi:Stack")!;
            assert.deepEqual(
                Object.entries(outputs).flatMap(([name, value]) => namesOf(value).map((secret) => [name, secret])),
                [["kubeconfig", "key test-kubernetes-admin"]],
            );
        });

        it("come to the cloud in nodes' configs alone, and there a token, and the receiver's key for the first one", () => {
            const found = resources
                .filter(({ type }) => type.startsWith(`${cloud}:`))
                .flatMap(({ name, type, id, inputs, outputs }) => {
                    const [configType, configInput] = configs;
                    const all = { ...outputs, ...inputs, name, id };
                    return Object.entries(all).flatMap(([input, value]) => {
                        const what = type === configType && input === configInput ? name : `${name}: ${input}`;
                        return namesOf(value).map((secret) => `${what} has ${secret}`);
                    });
                });
            // An object of the bucket may also be the name of a disk.
            const machines = resources
                .filter(({ type, name }) => type === configs[0] && !name.endsWith("-etcd"))
                .map(({ name }) => name);
            const poolOf = (name: string) => /^test-(controller|default|other)/.exec(name)![1];
            assert.ok(machines.length >= 5, machines.join());
            assert.deepEqual(
                found.sort(),
                [
                    ...machines.map((name) => `${name} has token test-token-${poolOf(name)}`),
                    ...machines
                        .filter((name) => name.startsWith("test-controller-0"))
                        .map((name) => `${name} has key test-bootstrap-receiver`),
                ].sort(),
            );
        });

        for (const [what, value] of [
            ["of another type", '{ "s3": { "secretAccessKey": 7171717171 } }'],
            ["that ends too early", '{ "s3": { "secretAccessKey": "7171717171'],
        ] as const) {
            it(`are not shown when the configuration's is one ${what}`, async () => {
                await stack.setSecret("tradewind:etcdSnapshots", value);
                const { output } = await stack.run("preview");
                assert.match(output, /tradewind:etcdSnapshots\S* must be .*, got \[secret\]/);
                assert.doesNotMatch(output, /7171717171/);
            });
        }
    });
}
