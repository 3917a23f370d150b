import assert from "node:assert/strict";
import { PaperStack } from "./paper/paper-stack";

const cluster = "a cluster on DigitalOcean without a load balancer, with the real engine in a dry run,";

describe(cluster, function () {
    this.timeout(240_000);
    let stack: PaperStack;

    const succeeds = async (command: "up" | "destroy", ...args: string[]) => {
        const { exitCode, output } = await stack.operation(command, ...args);
        assert.equal(exitCode, 0, output);
    };
    /** What the last operation did to controllers' droplets and names, in order of start: `delete controller-1-api`. */
    const done = () =>
        stack
            .events()
            .split("\n")
            .filter((line) => line.includes('"resourcePreEvent"'))
            .map((line) => JSON.parse(line).resourcePreEvent.metadata)
            .flatMap(({ op, urn }) => /::test-(controller-\d(-api.*)?)$/.exec(urn)?.[1]?.replace(/^/, `${op} `) ?? [])
            .filter((each) => !each.startsWith("same "));

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "ubuntu-26-04-x64",
            "tradewind:os": "cloud-init",
            "tradewind:ipv6": true,
            "tradewind:apiLoadBalancer": false,
            "tradewind:controllers": 3,
        });
        await succeeds("up");
    });
    after(() => stack?.remove());

    it("replaces a controller, and its name resolves to the new one", async () => {
        const droplet = (await stack.resources()).find(
            ({ type, name }) => /:Droplet$/.test(type) && name.endsWith("-2"),
        )!;
        await succeeds("up", "--replace", droplet.urn);
        assert.deepEqual(done().sort(), [
            "create-replacement controller-2",
            "delete-replaced controller-2",
            "replace controller-2",
            "update controller-2-api",
            "update controller-2-api-ipv6",
        ]);
    });

    it("deletes the records of a removed controller, waits until caches have expired, then deletes its droplet", async () => {
        stack.configure({ "tradewind:controllers": 1 });
        await succeeds("up");
        for (const node of ["controller-1", "controller-2"]) {
            const own = done().filter((each) => each.includes(node));
            const [names, others] = [own.slice(0, 2), own.slice(2)];
            assert.deepEqual(names.sort(), [`delete ${node}-api`, `delete ${node}-api-ipv6`]);
            assert.deepEqual(others, [`delete ${node}-api-forgotten`, `delete ${node}`]);
        }
    });

    it("is destroyed", async () => {
        await succeeds("destroy");
        assert.deepEqual(stack.account.left, []);
    });
});
