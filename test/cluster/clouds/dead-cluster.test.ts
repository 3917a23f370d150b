import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensure } from "../../../artifacts";
import { builtAwsCloudController, testImages } from "../../../artifacts/test-recipes";
import { docker, ensureEngine, list } from "../../../machines";
import { containerName } from "../../../machines/names";
import { simulatorCa } from "../../../simulator/clouds/services/simulator-ca";
import { describeLong } from "../../takes-long";
import { setVariables } from "../../variables";
import { serveAwsApis } from "../cloud-apis";
import { eventually } from "../cluster";
import { signedOn } from "../signed-on";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awsdead", simulatedAws);

describeLong("a dead cluster on a simulated AWS, with resources of its controllers", function () {
    this.timeout(300_000);
    const { account } = cluster;
    const folder = mkdtempSync(join(tmpdir(), "tradewind-dead-"));
    let server: Server;
    let resetVariables = () => {};
    const choose = (choice: string) => {
        process.env.TRADEWIND_LEFTOVERS = choice;
    };

    before(async () => {
        await ensureEngine();
        simulatorCa();
        await ensure({ only: [testImages], say: () => {} });
        await cluster.prepare(() => ({
            zones: ["a"],
            workerPools: [{ name: "default" }],
            cloudController: true,
            cloudImages: { awsCloudController: builtAwsCloudController },
        }));
        const apis = await serveAwsApis(account);
        server = apis.server;
        resetVariables = setVariables({ ...signedOn(folder, apis.url), TRADEWIND_LEFTOVERS: "" });
    });
    after(async () => {
        choose("delete-volumes");
        await cluster.destroy();
        resetVariables();
        server?.close();
        rmSync(folder, { recursive: true });
    });

    it("has load balancers of both kinds, and a volume", async () => {
        await cluster.up();
        await cluster.ready(account.all("instances").flatMap((each) => (each.createdBy ? [each.machine] : [])));
        const spec = { type: "LoadBalancer", selector: { app: "a" }, ports: [{ port: 80 }] };
        const annotations = { "service.beta.kubernetes.io/aws-load-balancer-type": "nlb" };
        for (const metadata of [{ name: "classic" }, { name: "network", annotations }]) {
            await cluster.apply({ apiVersion: "v1", kind: "Service", metadata, spec });
        }
        const isOwn = async () => {
            assert.equal(account.all("classicLoadBalancers").length, 1);
            assert.equal(account.all("loadBalancers").filter(({ createdBy }) => createdBy !== undefined).length, 1);
            assert.equal(account.all("targets").filter(({ name }) => name === "awsdead-default").length, 1);
        };
        await eventually("load balancers", isOwn, 90);
        // As left by the volume driver: no machine of the simulation could mount it.
        const tags = { "kubernetes.io/cluster/awsdead": "owned", "kubernetes.io/created-for/pvc/name": "data" };
        account.put("volumes", "vol-0123456789abcdef0", { name: "pvc", zone: "eu-central-1a", size: 4, tags });
    });

    it("is not destroyed before the user decides about the volume, and everything still exists", async () => {
        for (const machine of await list("awsdead")) {
            if (/controller|i-/.test(machine.name)) await docker(["kill", containerName("awsdead", machine.name)]);
        }
        // The pool's group launches another instance meanwhile.
        const lasting = () => account.left.filter((each) => !/^(instances|targets) /.test(each));
        const before = lasting();
        await assert.rejects(cluster.destroy(), /volume vol-0123456789abcdef0 of 4 GiB.*\n.*TRADEWIND_LEFTOVERS=/);
        assert.deepEqual(lasting(), before);
    });

    it("is destroyed, leaving nothing in the account", async () => {
        choose("delete-volumes");
        const start = Date.now();
        const { stdout } = await cluster.destroy();
        console.log(`        destroyed in ${((Date.now() - start) / 1000).toFixed(0)} s`);
        assert.match(stdout, /deleting load balancer/);
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list("awsdead"), []);
    });
});
