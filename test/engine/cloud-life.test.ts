import assert from "node:assert/strict";
import { runOfEvents } from "../../dev/event-log";
import { describeLongIf } from "../takes-long";
import { elementsOf } from "../unit/cli/picture/xml";
import { golden } from "../unit/golden";
import { keepsSecrets } from "./cloud-secrets/keeps-secrets";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";
import { readPreview, render } from "./paper/readable-preview";
import { isInDocs, pictureOnPaper } from "./paper/topology";
import { succeeded } from "./workspace";

interface Life {
    readonly config: Readonly<Record<string, unknown>>;
    /** Pools before and after: one grows, one is removed, one is added. */
    readonly pools: readonly [before: object[], after: object[]];
    readonly controllers: number;
    /** An image of another OS than that of the machines' first boot. */
    readonly otherImage: string;
    /** Pools whose machines the stack creates itself. */
    readonly workers: readonly string[];
    /** Texts of a picture. */
    readonly drawn: readonly RegExp[];
    /** Machines that would be replaced if they had to boot with something else. */
    readonly recreate: readonly string[];
    /** The input with nodes' configs, by the type of the resource. */
    readonly configs: readonly [type: string, input: string];
    /** Tokens of workloads in the cluster, by key. */
    readonly tokens: readonly string[];
}

const lives: Readonly<Partial<Record<CloudName, Life>>> = {
    aws: {
        // Private nodes: gateways and their addresses are created and removed with the rest.
        config: {
            "aws:region": "eu-central-1",
            "tradewind:topology": "private",
            "tradewind:apiAllowedCidrs": ["192.0.2.0/24"],
        },
        otherImage: "fedora-coreos-stable",
        controllers: 3,
        workers: [],
        drawn: [
            /^VPC 10\.0\.0\.0\/16$/,
            /^pods 10\.2\.0\.0\/16 · services 10\.3\.0\.0\/16/,
            /^API load balancer$/,
            /^test-api\S*amazonaws/,
            /t3\.medium/,
            /eu-central-1a/,
            /^pool default$/,
            /^pool old$/,
            /Auto Scaling group of 1/,
        ],
        recreate: ["test-controller-1"],
        pools: [
            [{ name: "default" }, { name: "old" }],
            [
                { name: "default", count: 2 },
                { name: "other", instanceType: "m7i.large" },
            ],
        ],
        configs: ["aws:s3/bucketObjectv2:BucketObjectv2", "content"],
        tokens: [],
    },
    digitalocean: {
        config: { "tradewind:region": "fra1", "tradewind:image": "170000001", "tradewind:sshKeys": ["42"] },
        controllers: 1,
        otherImage: "170000002",
        workers: ["test-default-0", "test-old-0"],
        drawn: [/^VPC [\d.]+\/20$/, /^API load balancer$/, /s-2vcpu-/, /fra1/, /^pool default$/, /^test-old-0$/],
        recreate: ["test-controller-0", "test-default-0"],
        pools: [
            [{ name: "default" }, { name: "old" }],
            [
                { name: "default", count: 2 },
                { name: "other", size: "s-4vcpu-8gb" },
            ],
        ],
        configs: ["digitalocean:index/droplet:Droplet", "userData"],
        tokens: ["cloudController", "csiDriver"],
    },
};

/** By key: `turn` is a different letter for each change. */
const givenIn = ({ tokens }: Life, turn: string): Record<string, string> => ({
    "tradewind:etcdSnapshots.s3.secretAccessKey": `secret-access-key-${turn.repeat(8)}`,
    "tradewind:etcdSnapshots.s3.encryptionKey": Buffer.alloc(32, turn).toString("base64"),
    ...Object.fromEntries(tokens.map((name) => [`tradewind:cloudTokens.${name}`, `dop_v1_${name}_${turn.repeat(8)}`])),
});

for (const [cloud, life] of Object.entries(lives) as [CloudName, Life][]) {
    const { config, controllers, pools, configs } = life;
    const given = ["k", "l"].flatMap((turn) =>
        Object.entries(givenIn(life, turn)).map(([name, value]) => ({ name: `${name} ${turn}`, traces: [value] })),
    );

    const repeats = cloud === "digitalocean";
    describeLongIf(repeats, `a cluster on ${cloud}, created in a dry run by the real engine`, function () {
        this.timeout(180_000);
        let stack: PaperStack;
        let brought: readonly string[];

        const setSecrets = (turn: string) => stack.setSecrets(givenIn(life, turn));
        const previewsAsReviewed = async (what: string) => {
            const { output } = await succeeded(stack.operation("preview", "--diff"));
            golden(__dirname, `${what}-on-${cloud}`, render(readPreview(output), cloud));
        };

        before(async () => {
            stack = await PaperStack.create(cloud, {
                ...config,
                "tradewind:domain": "example.com",
                "tradewind:controllers": { count: controllers },
                "tradewind:workerPools": pools[0],
                "tradewind:ingress": {},
                "tradewind:cloudController": true,
                "tradewind:csiDriver": true,
                "tradewind:volumeSnapshots": true,
                "tradewind:etcdSnapshots": {
                    s3: { endpoint: "https://store.example.com", bucket: "snapshots", accessKeyId: "id" },
                },
            });
            brought = stack.account.left;
            await setSecrets("k");
        });
        after(() => stack?.remove());

        it("is previewed without creating anything", async () => {
            const { output } = await succeeded(stack.operation("preview", "--json"));
            assert.match(output, /"changeSummary"/);
            assert.deepEqual(stack.account.left, brought);
        });

        it("is created, and another up changes nothing", async () => {
            await succeeded(stack.operation("up"));
            assert.ok(stack.account.left.length > brought.length + 10);
            // Without waiting, each takes no time, and the picture leaves it out.
            const machines = runOfEvents(stack.events())!.operations.filter(({ kind }) =>
                ["Instance", "Droplet"].includes(kind),
            );
            const names = [
                ...[...Array(controllers).keys()].map((index) => `test-controller-${index}`),
                ...life.workers,
            ];
            assert.deepEqual(
                machines.map(({ name, verb }) => `${name} ${verb}`).sort(),
                names.map((name) => `${name} created`).sort(),
            );
            const { changes } = await succeeded(stack.operation("up"));
            assert.deepEqual(Object.keys(changes), ["same"]);
        });

        it("is drawn with its network, its load balancer and its pools, from its state", async () => {
            const { facts, svg } = pictureOnPaper(await stack.exported(), "test");
            const texts = elementsOf(svg).map(({ text }) => text);
            for (const name of facts.controllers) assert.ok(texts.includes(name), name);
            assert.equal(Object.keys(facts.machines).length, controllers + life.workers.length);
            for (const each of life.drawn)
                assert.ok(
                    texts.some((text) => each.test(text)),
                    `${each}: ${texts.join(" | ")}`,
                );
            if (cloud === "aws") isInDocs("aws-on-paper.svg", svg);
        });

        it("gets another flag, of a control plane component and of kubelets", async () => {
            stack.configure({ "tradewind:components": { kubeApiserver: { v: "4" }, kubelet: { "max-pods": "50" } } });
            await previewsAsReviewed("another-flag");
            const { changes } = await succeeded(stack.operation("up"));
            // Plans of node-agents get another name: those of controllers and of two pools.
            const { update = 0, create, delete: deleted } = changes;
            assert.ok(update > 0 && create === 3 && deleted === 3, JSON.stringify(changes));
        });

        it("gets other CNI plugins without replacing machines", async () => {
            const cniPlugins = { urls: ["https://mirror.example/cni-plugins.tgz"], sha256: "1".repeat(64) };
            stack.configure({ "tradewind:downloads": { cniPlugins } });
            await previewsAsReviewed("other-cni-plugins");
            await succeeded(stack.operation("up"));
        });

        it("gets another image, which existing machines do not boot", async () => {
            stack.configure({ "tradewind:image": life.otherImage });
            await previewsAsReviewed("another-image");
            await succeeded(stack.operation("up"));
            const { changes } = await succeeded(stack.operation("up"));
            assert.deepEqual(Object.keys(changes), ["same"]);
        });

        it("replaces the listed machines with the current configuration, and then no more", async () => {
            stack.configure({ "tradewind:recreate": life.recreate });
            const { output } = await succeeded(stack.operation("preview", "--diff"));
            // Certificates of other addresses follow, and everything derived from them.
            const headings = readPreview(output).map(({ heading }) => heading);
            golden(
                __dirname,
                `recreate-on-${cloud}`,
                headings
                    .filter((each) => !/ (kubernetes|tls):/.test(each))
                    .map((each) => `${each}\n`)
                    .join(""),
            );
            await succeeded(stack.operation("up"));
            for (const madeAnew of [life.recreate, []]) {
                stack.configure({ "tradewind:recreate": madeAnew });
                const { changes } = await succeeded(stack.operation("up"));
                assert.deepEqual(Object.keys(changes), ["same"], String(madeAnew));
            }
        });

        it("adds, removes and grows pools, and gets other secrets", async () => {
            await setSecrets("l");
            stack.configure({ "tradewind:workerPools": pools[1] });
            await previewsAsReviewed("other-pools");
            await succeeded(stack.debugged("up"));
        });

        keepsSecrets(() => ({ stack, cloud, configs, given }));

        it("is destroyed, leaving nothing in the account", async () => {
            await succeeded(stack.operation("destroy"));
            assert.deepEqual(stack.account.left, brought);
        });

        if (cloud !== "aws") return;

        for (const [what, value] of [
            ["of another type", '{ "s3": { "secretAccessKey": 7171717171 } }'],
            ["that ends too early", '{ "s3": { "secretAccessKey": "7171717171'],
        ] as const) {
            it(`does not print the configuration's secrets when one is ${what}`, async () => {
                await stack.setSecrets({ "tradewind:etcdSnapshots": value });
                const { output } = await stack.run("preview");
                assert.match(output, /tradewind:etcdSnapshots\S* must be .* \(got \[secret\]\)/);
                assert.doesNotMatch(output, /7171717171/);
            });
        }
    });
}
