import assert from "node:assert/strict";
import { csiDriverPermissions } from "../../../../../../../components/aws/iam/driver-permissions";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked } from "../query/asked";

const tags = { "kubernetes.io/cluster/c": "owned" };
const prepare = () => {
    const all = asked(ec2, "2016-11-15", csiDriverPermissions({ cluster: "c", region: "eu-central-1" }));
    const { account } = all;
    account.change("instances", "i-1", (now) => ({ ...now, tags }));
    account.put("volumes", "vol-1", { name: "pvc-1", zone: "eu-central-1a", size: 4, tags });
    const attach = async (form: Record<string, string> = {}) =>
        all.ask("AttachVolume", { VolumeId: "vol-1", InstanceId: "i-1", Device: "/dev/xvdaa", ...form });
    const detach = async (form: Record<string, string> = {}) =>
        all.ask("DetachVolume", { VolumeId: "vol-1", InstanceId: "i-1", ...form });
    const held = (volume: string, device: string) =>
        account.put("volumeAttachments", `vai-${volume}`, { name: volume, volume, instance: "i-1", device });
    return { ...all, attach, detach, held };
};

// Attaching to machines and detaching is covered by the engine's tests, in dry runs, and by those of clusters.
describe("volumes of a simulated account, as attached by the volume driver", () => {
    it("require permissions on both, by the cluster's tag", async () => {
        const { account, attach, calls } = prepare();
        await attach({ DryRun: "true" });
        assert.deepEqual(calls(), [
            "r ec2:AttachVolume arn:aws:ec2:eu-central-1:123456789012:volume/vol-1",
            "r ec2:AttachVolume arn:aws:ec2:eu-central-1:123456789012:instance/i-1",
        ]);
        assert.equal((await attach({ InstanceId: "i-2" })).code, "UnauthorizedOperation");
        const own = { ...tags, "tradewind.dev/cluster": "c" };
        account.change("volumes", "vol-1", (now) => ({ ...now, tags: own }));
        assert.equal((await attach()).code, "UnauthorizedOperation");
    });

    it("are attached to one running instance in their zone, under a unique device name", async () => {
        const { account, attach, held } = prepare();
        assert.equal((await attach({ Device: "/dev/xvda" })).code, "InvalidParameterValue");
        assert.equal((await attach({ InstanceId: "i-9" })).code, "InvalidInstanceID.NotFound");
        assert.equal((await attach({ EbsCardIndex: "1" })).code, "InvalidParameter");
        account.change("instances", "i-1", (now) => ({ ...now, state: "pending" }));
        assert.equal((await attach()).code, "IncorrectState");
        account.change("volumes", "vol-1", (now) => ({ ...now, zone: "eu-central-1b" }));
        assert.equal((await attach()).code, "InvalidVolume.ZoneMismatch");
        held("vol-2", "/dev/xvdaa");
        assert.match((await attach()).text, /InvalidParameterValue.*already in use/);
        held("vol-1", "/dev/xvdab");
        assert.equal((await attach()).code, "VolumeInUse");
    });

    it("are limited by the instance's type", async () => {
        const { attach, held } = prepare();
        for (let n = 0; n < 26; n++) held(`vol-a${n}`, `/dev/xvdb${String.fromCharCode(97 + n)}`);
        assert.equal((await attach()).code, "AttachmentLimitExceeded");
    });

    it("are detached from where they are, and from nowhere else", async () => {
        const { account, detach, held, calls } = prepare();
        account.change("instances", "i-2", (now) => ({ ...now, tags }));
        assert.equal((await detach()).code, "IncorrectState");
        held("vol-1", "/dev/xvdaa");
        assert.equal((await detach({ InstanceId: "i-2" })).code, "InvalidAttachment.NotFound");
        assert.equal((await detach({ DryRun: "true" })).code, "DryRunOperation");
        assert.equal(calls().at(-1), "r ec2:DetachVolume arn:aws:ec2:eu-central-1:123456789012:instance/i-1");
    });
});
