import assert from "node:assert/strict";
import { csiDriverPermissions } from "../../../../../../../components/aws/iam/driver-permissions";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked, tagForm } from "../query/asked";

const tag = "kubernetes.io/cluster/c";
const prepare = () => asked(ec2, "2016-11-15", csiDriverPermissions({ cluster: "c", region: "eu-central-1" }));
const volume = (
    more: Record<string, string> = {},
    tags: Record<string, string> = { [tag]: "owned", Name: "c-pvc" },
) => ({
    AvailabilityZone: "eu-central-1a",
    Size: "4",
    VolumeType: "gp3",
    Encrypted: "true",
    MultiAttachEnabled: "false",
    ClientToken: "token",
    "TagSpecification.1.ResourceType": "volume",
    ...tagForm("TagSpecification.1.Tag", tags),
    ...more,
});

describe("volumes of a simulated account, as created by the volume driver", () => {
    it("are created with the cluster's tag, and their creator is recorded", async () => {
        const { account, ask, calls } = prepare();
        const created = await ask("CreateVolume", volume());
        assert.equal(created.status, 200, created.text);
        const [id, { name, zone, size, isEncrypted, tags, createdBy }] = Object.entries(account.resources.volumes)[0]!;
        assert.deepEqual([name, zone, size, isEncrypted, createdBy], ["c-pvc", "eu-central-1a", 4, true, "r"]);
        assert.equal(tags?.[tag], "owned");
        assert.match(created.text, new RegExp(`<volumeId>${id}</volumeId>.*<status>creating</status>`));
        assert.ok(account.left.includes("volumes c-pvc, made by r"));
        assert.deepEqual(
            calls().map((line) => line.split(" ")[1]),
            ["ec2:CreateVolume", "ec2:CreateTags"],
        );
    });

    it("are created once per token, in any order of tags, and never with different parameters", async () => {
        const { account, ask } = prepare();
        const ids = await Promise.all(
            [volume(), volume({}, { Name: "c-pvc", [tag]: "owned" })].map(async (form) => {
                return /<volumeId>(.*?)</.exec((await ask("CreateVolume", form)).text)?.[1];
            }),
        );
        assert.equal(ids[0], ids[1]);
        assert.equal((await ask("CreateVolume", volume({ Size: "5" }))).code, "IdempotentParameterMismatch");
        await ask("CreateVolume", volume({ ClientToken: "other" }));
        assert.equal(account.all("volumes").length, 2);
    });

    const refused: [what: string, form: Record<string, string>, code: string][] = [
        ["in a zone of another region", { AvailabilityZone: "us-east-1a" }, "InvalidZone.NotFound"],
        ["larger than gp3 allows", { Size: "65537" }, "InvalidParameterValue"],
        ["without a size", { Size: "0" }, "InvalidParameterValue"],
        ["with fewer iops than gp3 allows", { Iops: "2999" }, "InvalidParameterValue"],
        ["with more iops than its size allows", { Iops: "3001" }, "InvalidParameterCombination"],
        ["with more throughput than its iops allow", { Throughput: "751" }, "InvalidParameterCombination"],
        ["for several instances", { MultiAttachEnabled: "true" }, "InvalidParameterCombination"],
        ["of a type that is not simulated", { VolumeType: "io2" }, "InvalidParameterValue"],
        ["with an unsimulated parameter", { OutpostArn: "arn:aws:outposts:1" }, "InvalidParameter"],
        [
            "with a tag of AWS's own",
            {
                "TagSpecification.1.Tag.1.Key": "aws:x",
                "TagSpecification.1.Tag.3.Key": tag,
                "TagSpecification.1.Tag.3.Value": "owned",
            },
            "InvalidParameterValue",
        ],
    ];
    for (const [what, form, code] of refused) {
        it(`are not created ${what}`, async () => {
            const { account, ask } = prepare();
            assert.equal((await ask("CreateVolume", volume(form))).code, code);
            assert.deepEqual(account.all("volumes"), []);
        });
    }

    it("are not created without the cluster's tag", async () => {
        const { account, ask } = prepare();
        assert.equal((await ask("CreateVolume", volume({}, {}))).code, "UnauthorizedOperation");
        const other = { "kubernetes.io/cluster/d": "owned" };
        assert.equal((await ask("CreateVolume", volume({}, other))).code, "UnauthorizedOperation");
        assert.deepEqual(account.all("volumes"), []);
    });

    it("report their maximum iops to a dry run, for every caller", async () => {
        const { account, ask } = prepare();
        const [most, tags] = [{ Iops: "2147483647" }, { CSIVolumeName: "IopsLimitDryRun" }];
        for (const DryRun of ["true", "false"]) {
            const { text } = await ask("CreateVolume", volume({ ...most, DryRun }, tags));
            assert.match(text, /iops of 2147483647 is too high; maximum is 80000/);
        }
        assert.equal((await ask("CreateVolume", volume({ Iops: "3000" }, tags))).code, "UnauthorizedOperation");
        assert.equal((await ask("CreateVolume", volume({ DryRun: "true" }))).code, "DryRunOperation");
        assert.deepEqual(account.all("volumes"), []);
    });
});

describe("volumes of a simulated account, as modified by the volume driver", () => {
    const created = () => {
        const all = prepare();
        all.account.put("volumes", "vol-1", {
            name: "c-pvc",
            zone: "eu-central-1a",
            size: 4,
            tags: { [tag]: "owned" },
        });
        const modify = async (form: Record<string, string>) => all.ask("ModifyVolume", { VolumeId: "vol-1", ...form });
        return { ...all, modify };
    };

    it("grow, and wait for hours before the next modification", async () => {
        const { account, modify } = created();
        const { text } = await modify({ Size: "8" });
        assert.match(text, /<modificationState>modifying<.*<originalSize>4<.*<targetSize>8</);
        assert.equal(account.find("volumes", "vol-1").size, 8);
        assert.equal((await modify({ Size: "9" })).code, "IncorrectModificationState");
        const past = (hours: number) =>
            account.change("volumes", "vol-1", (now) => ({
                ...now,
                modification: { ...now.modification!, started: new Date(Date.now() - hours * 3_600_000).toISOString() },
            }));
        past(5);
        assert.equal((await modify({ Size: "9" })).code, "VolumeModificationRateExceeded");
        past(6);
        assert.equal((await modify({ Size: "9" })).status, 200);
    });

    it("do not shrink, or change to what is not simulated", async () => {
        const { modify } = created();
        assert.equal((await modify({ Size: "3" })).code, "InvalidParameterValue");
        assert.equal((await modify({ VolumeType: "io2" })).code, "InvalidParameterValue");
        assert.equal((await modify({ MultiAttachEnabled: "true" })).code, "InvalidParameter");
    });

    it("are deleted, except the stack's own: etcd's", async () => {
        const { account, ask } = created();
        const tags = { [tag]: "owned", "tradewind.dev/cluster": "c" };
        account.put("volumes", "vol-2", { name: "etcd", zone: "eu-central-1a", size: 4, tags });
        const on = async (action: string, more: Record<string, string> = {}) =>
            (await ask(action, { VolumeId: "vol-2", ...more })).code;
        assert.equal(await on("DeleteVolume"), "UnauthorizedOperation");
        assert.equal(await on("ModifyVolume", { Size: "8" }), "UnauthorizedOperation");
        await ask("DeleteVolume", { VolumeId: "vol-1" });
        assert.deepEqual(Object.keys(account.resources.volumes), ["vol-2"]);
    });
});
