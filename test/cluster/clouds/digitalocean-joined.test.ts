import assert from "node:assert/strict";
import { formats } from "../../../cli/join-token/formats";
import { exec, list } from "../../../machines";
import { droplet } from "../../../simulator/clouds/digitalocean/droplet";
import { maxUserData } from "../../../simulator/clouds/digitalocean/offers";
import { describeLong } from "../../takes-long";
import { tradewindByStack } from "../by-stack";
import { hasJoined } from "../joined-machine";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { createByHand } from "./by-hand";

const cluster = new SimulatedCluster("dojoined", simulatedDigitalOcean);
const node = "rack-1";

describeLong("a droplet that the stack did not create, on a simulated DigitalOcean", function () {
    this.timeout(420_000);
    const { account } = cluster;
    const tradewind = (...args: string[]) => tradewindByStack(["dojoined", "digitalocean"], args);
    let id: string;
    const address = () => account.resources.droplets[id]!.address;
    const join = async (...args: string[]) =>
        (await tradewind("join-token", node, "--pool", "default", "--address", address(), ...args)).stdout;

    before(async () => {
        await cluster.prepare(() => ({ region: "fra1", workerPools: [{ name: "default" }] }));
        await cluster.up();
        await cluster.ready();
        const [vpcUuid] = Object.keys(account.resources.vpcs).filter(
            (each) => account.resources.vpcs[each]!.name === cluster.name,
        );
        id = await createByHand(droplet, account, {
            name: node,
            region: "fra1",
            size: "s-2vcpu-4gb",
            image: "170000001",
            vpcUuid: vpcUuid!,
            sshKeys: ["42"],
            tags: [cluster.name],
            userData: JSON.stringify({ ignition: { version: "3.5.0" } }),
        });
    });
    after(() => cluster.destroy());

    it("could have each format as its user-data, if its address were known before", async () => {
        for (const format of formats) {
            const bytes = Buffer.byteLength(await join("--format", format));
            console.log(`        ${format}: ${bytes} bytes`);
            assert.ok(bytes <= maxUserData, `${format} has ${bytes} bytes`);
        }
    });

    it("joins by a command, and runs pods that reach others", async () => {
        await exec(cluster.name, node, ["sh"], await join());
        await hasJoined(cluster, node, "default", address());
        assert.match((await tradewind("status")).stdout, /^rack-1 +worker, by token +Ready/m);
        assert.match((await tradewind("join-token", "--list")).stdout, /^rack-1 +default +[\d.]+ +joined /m);
    });

    it("stays when the stack has nothing to change", async () => {
        await cluster.pulumi("preview", "--non-interactive", "--expect-no-changes");
        await cluster.up("--expect-no-changes");
        await hasJoined(cluster, node, "default", address());
    });

    it("is drained and cleaned by reset", async () => {
        await tradewind("reset", node);
        await assert.rejects(cluster.kubectl("get", "node", node), /not found/);
        assert.equal((await cluster.exec(node, "pgrep -l 'kubelet|containerd-shim' || true")).trim(), "");
    });

    it("keeps the network until it is deleted, and then nothing is left", async () => {
        await droplet.delete(account, id);
        await cluster.destroy();
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("dojoined"), []);
    });
});
