import assert from "node:assert/strict";
import {
    csiDriverPermissions,
    volumeSnapshotPermissions,
} from "../../../../../../../components/aws/iam/driver-permissions";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked, tagForm } from "../query/asked";

const tag = "kubernetes.io/cluster/c";
const scope = { cluster: "c", region: "eu-central-1" };
const own = { [tag]: "owned", CSIVolumeSnapshotName: "snapshot-1" };
const request = (tags: Record<string, string> = own, more: Record<string, string> = {}) => ({
    VolumeId: "vol-1",
    Description: "Created by AWS EBS CSI driver for volume vol-1",
    "TagSpecification.1.ResourceType": "snapshot",
    ...tagForm("TagSpecification.1.Tag", tags),
    ...more,
});
const restored = (snapshot: string, more: Record<string, string> = {}) => ({
    ...{ AvailabilityZone: "eu-central-1b", VolumeType: "gp3", Size: "8", ClientToken: "token", SnapshotId: snapshot },
    "TagSpecification.1.ResourceType": "volume",
    ...tagForm("TagSpecification.1.Tag", { [tag]: "owned" }),
    ...more,
});

const prepare = (permissions = [...csiDriverPermissions(scope), ...volumeSnapshotPermissions(scope)]) => {
    const all = asked(ec2, "2016-11-15", permissions);
    const { account, ask } = all;
    account.put("volumes", "vol-1", { name: "pvc-1", zone: "eu-central-1a", size: 8, tags: { [tag]: "owned" } });
    const take = async (more: Record<string, string> = {}) => {
        const { text, code } = await ask("CreateSnapshot", request(own, more));
        return /<snapshotId>(.*?)</.exec(text)?.[1] ?? assert.fail(code);
    };
    /** As if it was taken some time ago. */
    const age = (id: string, seconds: number) => {
        const started = new Date(Date.now() - seconds * 1000).toISOString();
        account.change("snapshots", id, (now) => ({ ...now, started }));
        account.waitFor(id, seconds);
    };
    return { ...all, take, age };
};

describe("snapshots of a simulated account, as taken by the volume driver,", () => {
    it("have the size and tags of their request, and their creator is recorded", async () => {
        const { account, ask, calls } = prepare();
        const { text } = await ask("CreateSnapshot", request());
        assert.match(text, /<volumeId>vol-1<.*<status>pending<.*<volumeSize>8<.*<encrypted>true</s);
        const [{ volume, tags, createdBy } = assert.fail("none")] = account.all("snapshots");
        assert.deepEqual([volume, tags, createdBy], ["vol-1", own, "r"]);
        assert.ok(
            account.left.some((each) => /^snapshots snap-\w+, made by r$/.test(each)),
            String(account.left),
        );
        assert.deepEqual(
            calls().map((line) => line.split(" ")[1]),
            ["ec2:CreateSnapshot", "ec2:CreateSnapshot", "ec2:CreateTags"],
        );
    });

    it("need the cluster's tag, on their volume too, and the permissions of volumeSnapshots", async () => {
        const { account, ask } = prepare();
        assert.equal(
            (await ask("CreateSnapshot", request({ CSIVolumeSnapshotName: "a" }))).code,
            "UnauthorizedOperation",
        );
        account.put("volumes", "vol-1", { name: "theirs", zone: "eu-central-1a", size: 8 });
        assert.equal((await ask("CreateSnapshot", request())).code, "UnauthorizedOperation");
        const without = prepare(csiDriverPermissions(scope));
        assert.equal((await without.ask("CreateSnapshot", request())).code, "UnauthorizedOperation");
        assert.equal((await without.ask("DescribeSnapshots")).code, "UnauthorizedOperation");
    });

    it("are of a volume that exists, and 15 seconds apart", async () => {
        const { ask, take, age } = prepare();
        assert.equal((await ask("CreateSnapshot", request(own, { VolumeId: "vol-9" }))).code, "InvalidVolume.NotFound");
        const first = await take();
        assert.equal((await ask("CreateSnapshot", request())).code, "SnapshotCreationPerVolumeRateExceeded");
        age(first, 15);
        await take();
    });

    it("are described a little later, pending and then completed, by id and filters", async () => {
        const { ask, take, age } = prepare();
        const id = await take();
        const described = async (form: Record<string, string>) => {
            const { text, code } = await ask("DescribeSnapshots", form);
            return code ?? [...text.matchAll(/<status>(\w+)</g)].map(([, status]) => status);
        };
        const by = (name: string, value: string) => described({ "Filter.1.Name": name, "Filter.1.Value.1": value });
        assert.equal(await described({ "SnapshotId.1": id }), "InvalidSnapshot.NotFound");
        age(id, 3);
        assert.deepEqual(await described({ "SnapshotId.1": id }), ["pending"]);
        age(id, 5);
        assert.deepEqual(await by("tag:CSIVolumeSnapshotName", "snapshot-1"), ["completed"]);
        assert.deepEqual(await by("tag:CSIVolumeSnapshotName", "snapshot-2"), []);
        assert.deepEqual(await by("volume-id", "vol-1"), ["completed"]);
    });

    it("are restored once complete, as a volume that is as large at least, in any zone", async () => {
        const { account, ask, take, age } = prepare();
        const id = await take();
        assert.equal((await ask("CreateVolume", restored(id))).code, "IncorrectState");
        age(id, 5);
        assert.equal((await ask("CreateVolume", restored(id, { Size: "7" }))).code, "InvalidParameterValue");
        const { text } = await ask("CreateVolume", restored(id));
        assert.match(text, new RegExp(`<size>8<.*<snapshotId>${id}<`, "s"));
        assert.equal(account.all("volumes").find(({ snapshot }) => snapshot === id)?.isEncrypted, true);
        assert.equal((await ask("CreateVolume", restored("snap-9"))).code, "InvalidSnapshot.NotFound");
        account.change("snapshots", id, (now) => ({ ...now, tags: {} }));
        assert.equal((await ask("CreateVolume", restored(id, { ClientToken: "b" }))).code, "UnauthorizedOperation");
    });

    it("outlive their volume until they are deleted", async () => {
        const { account, ask, take } = prepare();
        const id = await take();
        assert.equal((await ask("DeleteVolume", { VolumeId: "vol-1" })).status, 200);
        assert.equal((await ask("DeleteSnapshot", { SnapshotId: id })).status, 200);
        assert.deepEqual(account.all("snapshots"), []);
        assert.equal((await ask("DeleteSnapshot", { SnapshotId: id })).code, "InvalidSnapshot.NotFound");
    });
});
