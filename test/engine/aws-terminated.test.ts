import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Account } from "../../simulator/clouds/aws/account";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

describeLong("a controller whose instance was terminated, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    const account = () => stack.account as Account;
    const instanceOf = (node: string) =>
        Object.entries(account().resources.instances).find(([, { name }]) => name === node)!;

    /** What EC2 does when an instance is terminated or its host fails: its volume becomes available. */
    function terminate(node: string): string {
        const [id, { name }] = instanceOf(node);
        const attached = Object.entries(account().resources.volumeAttachments).filter(
            ([, each]) => each.instance === id,
        );
        for (const [each] of attached) account().remove("volumeAttachments", each);
        account().put("terminatedInstances", id, { name, time: new Date().toISOString() });
        account().remove("instances", id);
        return id;
    }

    /** Another instance with the etcd volume, which finds a config with the hash it was given. */
    function isReplaced(node: string, terminated: string): void {
        const [id, { spec }] = instanceOf(node);
        assert.notEqual(id, terminated);
        const volumes = account()
            .all("volumeAttachments")
            .filter(({ instance }) => instance === id);
        assert.deepEqual(
            volumes.map(({ name }) => name),
            [`${node}-etcd`],
        );
        const { source, verification } = JSON.parse(spec!.userData).ignition.config.replace;
        const stored = account()
            .all("objects")
            .find(({ bucket, key }) => source === `s3://${bucket}/${key}`);
        const hash = createHash("sha512").update(stored!.content).digest("hex");
        assert.equal(verification.hash, `sha512-${hash}`);
    }

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:controllers": { count: 3 },
        });
        await succeeded(stack.operation("up"));
        // Controllers boot from a stored config, which is not the one they would get now.
        stack.configure({ "tradewind:components": { kubelet: { "max-pods": "50" } } });
        await succeeded(stack.operation("up"));
    });
    after(() => stack?.remove());

    it("is replaced by up --refresh, and boots from the config stored for it", async () => {
        const terminated = terminate("test-controller-1");
        const { changes } = await succeeded(stack.operation("up", "--refresh"));
        assert.ok((changes.create ?? 0) >= 2, JSON.stringify(changes));
        isReplaced("test-controller-1", terminated);
    });

    it("boots with a valid token when it is listed in recreate and its token is replaced", async () => {
        const configOf = () =>
            account()
                .all("objects")
                .filter(({ key }) => key.includes("test-controller-1"))
                .map(({ content }) => content)
                .join();
        const [before, terminated] = [configOf(), terminate("test-controller-1")];
        const { urn } = (await stack.resources()).find(({ name }) => name === "test-token-lifetime-controller-1")!;
        stack.configure({ "tradewind:recreate": ["test-controller-1"] });
        await succeeded(stack.operation("up", "--refresh", "--replace", urn));
        isReplaced("test-controller-1", terminated);
        assert.notEqual(configOf(), before);
        stack.configure({ "tradewind:recreate": [] });
    });

    it("is replaced by up --replace, although EC2 cannot stop such an instance", async () => {
        const terminated = terminate("test-controller-2");
        const { urn } = (await stack.resources()).find(
            ({ type, name }) => type === "aws:ec2/instance:Instance" && name === "test-controller-2",
        )!;
        await succeeded(stack.operation("up", "--replace", urn));
        isReplaced("test-controller-2", terminated);
    });

    it("leaves nothing to change or refresh", async () => {
        for (const more of [[], ["--refresh"]]) {
            const { changes } = await succeeded(stack.operation("up", ...more));
            assert.deepEqual(Object.keys(changes), ["same"], JSON.stringify(changes));
        }
    });

    it("is destroyed with all the others", async () => {
        terminate("test-controller-0");
        await succeeded(stack.operation("destroy"));
        assert.deepEqual(
            account()
                .all("instances")
                .map(({ name }) => name),
            [],
        );
    });
});
