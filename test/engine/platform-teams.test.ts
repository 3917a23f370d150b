import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const index = JSON.stringify(resolve(__dirname, "../../index"));

interface Choices {
    readonly workers?: number;
    readonly generation?: number;
    readonly memory?: string;
    readonly protect?: boolean;
}

/** A team's program that changes resources of its cluster, and protects it. */
const program = ({ workers = 1, generation = 1, memory = "300Mi", protect = true }: Choices = {}) => `
const pulumi = require("@pulumi/pulumi");
const { DigitalOceanCluster } = require(${index});
const fetched = (sha256) => ({ urls: ["https://mirror.example/" + sha256], sha256 });
const ours = ({ type, name, props, opts }) => {
    if (type === "digitalocean:index/droplet:Droplet") {
        return { props: { ...props, tags: [...(props.tags ?? []), "team-blue"] }, opts };
    }
    if (type === "kubernetes:apps/v1:Deployment" && name === "c/deployment/kube-system/coredns") {
        const limits = { ...props.spec.template.spec.containers[0].resources.limits, memory: ${JSON.stringify(memory)} };
        props.spec.template.spec.containers[0].resources.limits = limits;
        return { props, opts };
    }
};
new DigitalOceanCluster("c", {
    domain: "example.com",
    region: "fra1",
    image: "170000001",
    sshKeys: ["42"],
    controllers: { count: 1, etcdDiskSize: 10 },
    workerPools: [{ name: "default", count: ${workers} }],
    certificates: { generation: ${generation} },
    downloads: { kubelet: fetched("1".repeat(64)), cniPlugins: fetched("2".repeat(64)) },
}, { protect: ${protect}, transforms: [ours] });
`;

// Runs the engine a dozen times.
describeLong("a platform team's program", function () {
    this.timeout(900_000);
    let stack: PaperStack;
    const byName = async (name: string) => (await stack.resources()).find((each) => each.name === name)!;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {}, program());
        await succeeded(stack.operation("up"));
    });
    after(() => stack?.remove());

    it("changes any resource of its cluster by transforms, without a difference in the next preview", async () => {
        const all = await stack.resources();
        const droplets = all.filter(({ type }) => type === "digitalocean:index/droplet:Droplet");
        assert.equal(droplets.length, 2);
        for (const { inputs } of droplets) assert.ok((inputs.tags as string[]).includes("team-blue"));
        const coredns = JSON.stringify((await byName("c/deployment/kube-system/coredns")).inputs);
        assert.match(coredns, /"memory":"300Mi"/);
        await succeeded(stack.operation("preview", "--expect-no-changes"));
    });

    it("protects the cluster, and of its resources those that last", async () => {
        const kept = (await stack.resources()).filter(({ protect }) => protect);
        assert.deepEqual([...new Set(kept.map(({ type }) => type.replace(/.*:/, "")))].sort(), [
            ...["Deployment", "DigitalOceanCluster", "LoadBalancer", "Volume", "Vpc"],
        ]);
    });

    it("scales its protected cluster and renews its certificates", async () => {
        stack.rewrite(program({ workers: 2, generation: 2 }));
        const { changes } = await succeeded(stack.operation("up"));
        assert.ok(changes.create! > 2, JSON.stringify(changes));
        stack.rewrite(program({ generation: 2 }));
        const down = await succeeded(stack.operation("up"));
        assert.ok(down.changes.delete! > 2, JSON.stringify(down.changes));
    });

    it("changes one resource alone by --target, or is told what else that needs", async () => {
        stack.rewrite(program({ generation: 2, memory: "310Mi" }));
        const { urn } = await byName("c/deployment/kube-system/coredns");
        const { changes } = await succeeded(stack.operation("up", "--target", urn));
        const { same: _, ...others } = changes;
        assert.deepEqual(others, { update: 1 });
        assert.match(JSON.stringify((await byName("c/deployment/kube-system/coredns")).inputs), /"memory":"310Mi"/);
        // Depends on a machine that does not exist yet.
        stack.rewrite(program({ generation: 2, memory: "320Mi", workers: 2 }));
        const { output } = await stack.operation("up", "--target", urn);
        assert.match(output, /coredns' depends on '.*' which was (was )?not specified in --target list/);
        assert.doesNotMatch(output, /TypeError/);
        stack.rewrite(program({ generation: 2, memory: "310Mi" }));
        await succeeded(stack.operation("preview", "--expect-no-changes"));
    });

    it("goes on after pulumi cancel where an interrupted up left its lock", async () => {
        stack.leaveLock();
        const locked = await stack.operation("up");
        assert.notEqual(locked.exitCode, 0);
        assert.match(locked.output, /the stack is currently locked by 1 lock\(s\)[\s\S]*pulumi cancel/);
        await stack.run("cancel", "--yes");
        await succeeded(stack.operation("up"));
    });

    it("can't destroy its protected cluster, which stays whole", async () => {
        const left = stack.account.left;
        // Without the preview, which would refuse it earlier.
        const refused = await stack.operation("destroy");
        assert.notEqual(refused.exitCode, 0);
        assert.match(refused.output, /protected/);
        assert.deepEqual(stack.account.left, left);
    });

    it("destroys it once it is unprotected", async () => {
        const left = stack.account.left;
        stack.rewrite(program({ generation: 2, memory: "310Mi", protect: false }));
        await succeeded(stack.operation("up"));
        await succeeded(stack.operation("destroy"));
        assert.ok(stack.account.left.length < left.length);
    });
});
