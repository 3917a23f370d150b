import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtVolumeImages, volumeImages } from "../../../artifacts/test-recipes";
import { docker, list } from "../../../machines";
import { containerName } from "../../../machines/names";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { setVariables } from "../../variables";
import { serveAwsApis } from "../cloud-apis";
import { signedOn } from "../signed-on";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { withTestImages } from "../test-images";

const name = "awsdeadvol";
const cluster = new SimulatedCluster(name, simulatedAws);

describeLong("a dead cluster on a simulated AWS, with a volume of its driver", function () {
    this.timeout(300_000);
    const { account } = cluster;
    const folder = mkdtempSync(join(tmpdir(), "tradewind-dead-"));
    let server: Server;
    let resetVariables = () => {};
    const choose = (choice: string) => {
        process.env.TRADEWIND_LEFTOVERS = choice;
    };

    withTestImages(volumeImages);
    before(async () => {
        await cluster.prepare(() => ({
            zones: ["a"],
            workerPools: [{ name: "default" }],
            csiDriver: true,
            cloudImages: builtVolumeImages,
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

    it("has a pod that wrote to it", async () => {
        await cluster.up();
        await cluster.ready(account.all("instances").flatMap((each) => (each.createdBy ? [each.machine] : [])));
        const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "4Gi" } } };
        const metadata = { name: "data" };
        await cluster.apply({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: claim });
        const writer = {
            name: "writer",
            image: images.busybox,
            command: ["sh", "-c", "echo kept >/data/x && sync && sleep 100000"],
            volumeMounts: [{ name: "data", mountPath: "/data" }],
        };
        const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [writer], volumes } });
        await cluster.kubectl("wait", "pod/data", "--for=condition=Ready", "--timeout=110s");
    });

    it("is not destroyed before the user decides about it, and it still exists", async () => {
        for (const machine of await list(name)) {
            if (/controller/.test(machine.name)) await docker(["kill", containerName(name, machine.name)]);
        }
        // The worker keeps running with the volume mounted.
        const before = account.left;
        await assert.rejects(
            cluster.destroy(),
            /volume vol-\w+ of 4 GiB, of claim default\/data\n.*TRADEWIND_LEFTOVERS=/,
        );
        assert.deepEqual(account.left, before);
    });

    it("is destroyed with it although a machine has it mounted, leaving nothing in the account", async () => {
        choose("delete-volumes");
        const { stdout } = await cluster.destroy();
        assert.match(stdout, /deleting volume vol-/);
        assert.deepEqual(account.left, []);
        assert.deepEqual(await list(name), []);
    });
});
