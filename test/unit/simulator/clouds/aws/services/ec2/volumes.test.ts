import assert from "node:assert/strict";
import { csiDriverPermissions } from "../../../../../../../components/aws/iam/driver-permissions";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked } from "../query/asked";

const tags = { "kubernetes.io/cluster/c": "owned" };
const prepare = () => {
    const all = asked(ec2, "2016-11-15", csiDriverPermissions({ cluster: "c", region: "eu-central-1" }));
    const { account } = all;
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const before = { size: 4, iops: 3000, throughput: 125 };
    const modified = (seconds: number) => ({ started: ago(seconds), before, after: { ...before, size: 8 } });
    account.put("volumes", "vol-1", { name: "pvc-1", zone: "eu-central-1a", size: 4, created: ago(60), tags });
    account.put("volumes", "vol-2", { name: "pvc-2", zone: "eu-central-1b", size: 8, modification: modified(0) });
    account.put("volumes", "vol-3", { name: "pvc-3", zone: "eu-central-1b", size: 8, modification: modified(10) });
    account.put("volumes", "vol-4", { name: "pvc-4", zone: "eu-central-1b", size: 8, modification: modified(30) });
    const attachment = { name: "pvc-1", volume: "vol-1", instance: "i-1", device: "/dev/xvdaa", since: ago(5) };
    account.put("volumeAttachments", "vai-1", attachment);
    return { ...all, attachment };
};

describe("reading volumes of a simulated account", () => {
    it("returns their zone, size, type and tags, and their attachments", async () => {
        const { account, ask, attachment } = prepare();
        const one = async () => (await ask("DescribeVolumes", { "VolumeId.1": "vol-1" })).text;
        for (const part of [
            "<availabilityZone>eu-central-1a</availabilityZone><status>in-use</status>",
            "<volumeType>gp3</volumeType><size>4</size><iops>3000</iops><throughput>125</throughput>",
            "<encrypted>true</encrypted>",
            "<instanceId>i-1</instanceId><device>/dev/xvdaa</device><status>attached</status>",
            "<key>kubernetes.io/cluster/c</key><value>owned</value>",
        ]) {
            assert.ok((await one()).includes(part), `${part} in ${await one()}`);
        }
        assert.doesNotMatch(await one(), /vol-2/);
        account.put("volumeAttachments", "vai-1", { ...attachment, state: "attaching" });
        assert.match(await one(), /<status>attaching</);
        account.remove("volumeAttachments", "vai-1");
        assert.match(await one(), /<status>available<.*<attachmentSet><\/attachmentSet>/);
    });

    it("finds them by filters, except deleted ones", async () => {
        const { ask } = prepare();
        const by = async (name: string, value: string) => {
            const { text } = await ask("DescribeVolumes", { "Filter.1.Name": name, "Filter.1.Value.1": value });
            return [...text.matchAll(/<item><volumeId>(vol-\d)<\/volumeId><availabilityZone>/g)].map(([, id]) => id);
        };
        assert.deepEqual(await by("tag:kubernetes.io/cluster/c", "owned"), ["vol-1"]);
        assert.deepEqual(await by("attachment.instance-id", "i-1"), ["vol-1"]);
        assert.deepEqual(await by("status", "available"), ["vol-2", "vol-3", "vol-4"]);
        const gone = await ask("DescribeVolumes", { "VolumeId.1": "vol-9" });
        assert.deepEqual([gone.status, gone.code], [400, "InvalidVolume.NotFound"]);
    });

    it("reports the progress of their last modification", async () => {
        const { ask } = prepare();
        const state = async (id: string) => {
            const { text, code } = await ask("DescribeVolumesModifications", { "VolumeId.1": id });
            return code ?? /<modificationState>(\w+)</.exec(text)?.[1];
        };
        assert.deepEqual(await Promise.all([1, 2, 3, 4].map((each) => state(`vol-${each}`))), [
            "InvalidVolumeModification.NotFound",
            "modifying",
            "optimizing",
            "completed",
        ]);
        assert.match((await ask("DescribeVolumesModifications")).text, /<originalSize>4<.*<targetSize>8</);
    });

    it("reports them as initialized, like those not created from a snapshot", async () => {
        const { ask } = prepare();
        const { text } = await ask("DescribeVolumeStatus", { "VolumeId.1": "vol-1" });
        assert.match(text, /<name>initialization-state<\/name><status>completed<\/status>/);
    });

    it("reports the instance they are attached to", async () => {
        const { text } = await prepare().ask("DescribeInstances", { "InstanceId.1": "i-1" });
        assert.match(text, /<blockDeviceMapping><item><deviceName>\/dev\/xvdaa<.*<volumeId>vol-1<.*<status>attached</s);
    });

    it("answers a dry run with the caller's permission", async () => {
        const { ask } = prepare();
        const dry = { DryRun: "true" };
        const may = await ask("DescribeAvailabilityZones", dry);
        assert.deepEqual([may.status, may.code], [412, "DryRunOperation"]);
        const mayNot = await ask("DescribeSubnets", dry);
        assert.deepEqual([mayNot.status, mayNot.code], [403, "UnauthorizedOperation"]);
    });
});
