import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awsQuery } from "../../agents/clean-up/aws/query";
import { textAt, type XmlElement } from "../../clients/aws/xml";
import type { Account } from "../../simulator/clouds/aws/account";
import { startServices } from "./aws-cloud-controller";
import { accountOf, controller, owner, worker } from "./aws-cloud-controller/account";

describe("volumes in a simulated AWS", function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-volumes-"));
    let account: Account;
    let services: ChildProcess;
    let ask: (action: string, params: Readonly<Record<string, string>>) => Promise<XmlElement>;
    let VolumeId: string;

    before(async () => {
        account = accountOf(join(folder, "account.json"));
        const started = await startServices(account.path);
        services = started.process;
        const query = awsQuery("eu-central-1", owner, `http://127.0.0.1:${started.port}`);
        ask = (action, params) => query("ec2", action, params);
    });
    after(() => {
        services.kill();
        rmSync(folder, { recursive: true });
    });

    const status = async () => {
        const found = await ask("DescribeVolumes", { "VolumeId.1": VolumeId });
        return textAt(found, "volumeSet", "item", "status");
    };

    it("are created, and attached to one instance after another", async () => {
        const asked = { AvailabilityZone: "eu-central-1a", Size: "4", VolumeType: "gp3", Encrypted: "true" };
        VolumeId = textAt(await ask("CreateVolume", asked), "volumeId")!;
        await assert.rejects(status(), /InvalidVolume.NotFound/);
        account.wait(2);
        assert.equal(await status(), "available");
        for (const InstanceId of [controller, worker]) {
            const place = { VolumeId, InstanceId };
            await ask("AttachVolume", { ...place, Device: "/dev/xvdaa" });
            assert.equal(await status(), "in-use");
            const [attachment] = account.all("volumeAttachments");
            assert.deepEqual([attachment!.instance, attachment!.state], [InstanceId, undefined]);
            await assert.rejects(ask("AttachVolume", { ...place, Device: "/dev/xvdab" }), /VolumeInUse/);
            await assert.rejects(ask("DeleteVolume", { VolumeId }), /VolumeInUse/);
            await ask("DetachVolume", place);
            // Detaching goes on for a while.
            assert.equal(await status(), "in-use");
            await assert.rejects(ask("AttachVolume", { ...place, Device: "/dev/xvdab" }), /VolumeInUse/);
            account.wait(3);
        }
        assert.deepEqual(account.all("volumeAttachments"), []);
        assert.equal(account.find("volumes", VolumeId).network, "c");
    });

    it("have snapshots, which are restored in another zone", async () => {
        const SnapshotId = textAt(await ask("CreateSnapshot", { VolumeId }), "snapshotId")!;
        await assert.rejects(ask("DescribeSnapshots", { "SnapshotId.1": SnapshotId }), /InvalidSnapshot.NotFound/);
        account.wait(2);
        const found = await ask("DescribeSnapshots", { "SnapshotId.1": SnapshotId });
        assert.equal(textAt(found, "snapshotSet", "item", "status"), "pending");
        const asked = { SnapshotId, AvailabilityZone: "eu-central-1b", VolumeType: "gp3" };
        await assert.rejects(ask("CreateVolume", asked), /IncorrectState/);
        const started = new Date(Date.now() - 5000).toISOString();
        account.change("snapshots", SnapshotId, (now) => ({ ...now, started }));
        const restored = textAt(await ask("CreateVolume", asked), "volumeId")!;
        // Its disk is a copy in the same network.
        const { size, zone, network } = account.find("volumes", restored);
        assert.deepEqual([size, zone, network], [4, "eu-central-1b", "c"]);
        await ask("DeleteVolume", { VolumeId: restored });
        await ask("DeleteSnapshot", { SnapshotId });
        assert.deepEqual(account.all("snapshots"), []);
    });

    it("grow while attached, and are deleted", async () => {
        await ask("AttachVolume", { VolumeId, InstanceId: worker, Device: "/dev/xvdaa" });
        const change = await ask("ModifyVolume", { VolumeId, Size: "8" });
        assert.equal(textAt(change, "volumeModification", "targetSize"), "8");
        await ask("DetachVolume", { VolumeId, Force: "true" });
        await assert.rejects(ask("DeleteVolume", { VolumeId }), /VolumeInUse/);
        account.wait(3);
        await ask("DeleteVolume", { VolumeId });
        assert.ok(account.left.every((each) => !each.startsWith("volume")));
    });
});
