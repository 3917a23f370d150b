import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { setVariables } from "../../variables";
import { serveAwsApis } from "../cloud-apis";
import { signedOn } from "../signed-on";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awssilent", simulatedAws);

describeLong("an unresponsive first boot on a simulated AWS", function () {
    this.timeout(580_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-silent-"));
    let server: Server;
    let resetVariables = () => {};

    before(async () => {
        await ensureEngine();
        const dropins = [{ name: "99-broken.conf", contents: "[Service]\nExecStartPre=/bin/false\n" }];
        const systemd = { units: [{ name: "containerd.service", dropins }] };
        const snippets = [JSON.stringify({ ignition: { version: "3.5.0" }, systemd })];
        await cluster.prepare(() => ({ zones: ["a"], workerPools: [], controllers: { snippets } }));
        const apis = await serveAwsApis(cluster.account);
        server = apis.server;
        // It reports that on its console after two minutes.
        resetVariables = setVariables({ ...signedOn(folder, apis.url), TRADEWIND_BOOTSTRAP_SECONDS: "180" });
    });
    after(async () => {
        await cluster.destroy();
        resetVariables();
        server?.close();
        rmSync(folder, { recursive: true });
    });

    it("is reported by up with the node, and the console output of the unit that does not run", async () => {
        const said = await cluster.up().then(
            () => assert.fail("up succeeded"),
            (error: Error) => error.message,
        );
        // An assertion shows the start of the output, and the relevant part is at the end.
        console.log(said.slice(Math.max(said.lastIndexOf("waited "), said.length - 3_000)));
        assert.match(said, /awssilent-controller-0 never answered: /);
        assert.match(said, /its console \(`aws ec2 get-console-output --region eu-central-1 --instance-id i-\w+ /);
        assert.match(said, /tradewind: awssilent-controller-0 is not a node yet, \d+ s after boot/);
        assert.match(said, /tradewind: bootstrap-receiver\.service: /);
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("awssilent"), []);
    });
});
