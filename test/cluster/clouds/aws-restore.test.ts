import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine } from "../../../machines";
import { describeLong } from "../../takes-long";
import { loseControlPlane } from "../control-plane-loss";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { makeSshAccess, type SshAccess, sshSnippet, startSshServer, tradewindBySsh } from "./ssh-access";

const cluster = new SimulatedCluster("awsrestore", simulatedAws);
const controller = "awsrestore-controller-0";
const folder = mkdtempSync(join(tmpdir(), "tradewind-ssh-"));

describeLong("a cluster on a simulated AWS that is restored from its bucket", function () {
    this.timeout(600_000);
    let access: SshAccess;
    const tradewind = (command: string, ...args: string[]) =>
        tradewindBySsh([cluster.name, "aws"], access, command, ...args);

    before(async () => {
        await ensureEngine();
        access = await makeSshAccess(folder);
        await cluster.prepare((vpcCidr) => ({
            zones: ["a"],
            controllers: { snippets: [sshSnippet(access)] },
            inboundRules: [{ ports: "22", from: vpcCidr, to: "controllers" }],
            workerPools: [{ name: "default" }],
            snapshotBucket: { name: "awsrestore-snapshots" },
        }));
        await cluster.up();
        await cluster.ready(workers());
        const { machine, address } = cluster.account.all("instances").find(({ createdBy }) => createdBy === undefined)!;
        access.trust(address, await startSshServer(cluster.name, machine));
    });
    after(async () => {
        await cluster.destroy();
        rmSync(folder, { recursive: true });
    });

    const workers = () =>
        cluster.account
            .all("instances")
            .flatMap(({ createdBy, machine }) => (createdBy === undefined ? [] : [machine]));

    it("takes a snapshot, encrypted, with nothing but the instance's role", async () => {
        await cluster.kubectl("create", "configmap", "kept", "--from-literal", "key=value");
        const { stdout } = await tradewind("snapshot");
        assert.match(
            stdout,
            /^copied to the store: s3:\/\/awsrestore-snapshots\/awsrestore\/awsrestore-\S+\.db\.enc$/m,
        );
        const keys = cluster.account.all("objects").map(({ bucket, key }) => `${bucket}/${key}`);
        assert.ok(
            keys.some((key) => /^awsrestore-snapshots\/awsrestore\/\S+\.db\.enc$/.test(key)),
            keys.join(),
        );
    });

    it("fetches it by the same role when the control plane is lost, and starts from it", async () => {
        await cluster.kubectl("create", "configmap", "late");
        await loseControlPlane(cluster, [controller]);
        const { stdout } = await tradewind(
            "recover",
            "--from",
            "snapshot",
            "--store",
            "--discard-data",
            "--timeout",
            "300",
        );
        assert.match(stdout, new RegExp(`${controller} fetched awsrestore-\\S+: `));
        await assert.rejects(cluster.kubectl("get", "configmap", "late"), /NotFound/);
        assert.equal((await cluster.get<{ data: { key: string } }>("configmap", "kept")).data.key, "value");
        await cluster.ready(workers());
    });

    it("shows no change afterwards", () => cluster.pulumi("preview", "--non-interactive", "--expect-no-changes"));
});
