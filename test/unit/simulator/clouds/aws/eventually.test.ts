import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Account } from "../../../../../simulator/clouds/aws/account";
import {
    awaitCapacity,
    awaitDrained,
    awaitProfile,
    awaitRead,
    awaitTerminated,
    isDescribed,
} from "../../../../../simulator/clouds/aws/eventually";
import { rolePolicy } from "../../../../../simulator/clouds/aws/identity";
import { requireVcpus } from "../../../../../simulator/clouds/aws/instances";
import { mayRole } from "../../../../../simulator/clouds/aws/policy";
import { defaultTagsIn } from "../../../../../simulator/clouds/aws/provider";
import { placeWithCapacity } from "../../../../../simulator/clouds/aws/scaling";
import { example } from "./services/example";

describe("the simulated AWS, whose services learn late of each other,", () => {
    let account: Account;
    let folder: string;
    const allowed = { Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }] };

    beforeEach(() => {
        ({ account, folder } = example());
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("knows a new instance profile after ten seconds, which the provider waits for", () => {
        account.appear("new");
        awaitProfile(account, "new");
        assert.ok(account.waited > 9 && account.waited <= 10);
        awaitProfile(account, "old");
        assert.ok(account.waited <= 10);
    });

    it("refuses an instance profile that is new for longer than the provider waits", () => {
        account.behave({ delays: { profile: 200 } });
        account.appear("new");
        assert.throws(
            () => awaitProfile(account, "new"),
            /^Error: InvalidParameterValue: .*Invalid IAM Instance Profile name$/,
        );
        assert.equal(account.waited, 120);
        // The next run of Pulumi.
        awaitProfile(account, "new");
        assert.ok(account.waited > 199);
    });

    it("describes what is new after two seconds", () => {
        account.appear("i-2");
        assert.deepEqual([isDescribed(account, "i-2"), isDescribed(account, "i-1")], [false, true]);
        awaitRead(account, "i-2");
        assert.equal(isDescribed(account, "i-2"), true);
    });

    it("applies a new policy of a role after five seconds", () => {
        account.put("rolePolicies", "r:p", { name: "p", role: "r", policy: JSON.stringify(allowed) });
        account.appear("r:p");
        const may = () => mayRole(account, "r", "s3:GetObject", "arn:aws:s3:::b/k");
        assert.equal(may(), false);
        account.wait(5);
        assert.equal(may(), true);
    });

    it("applies an update of a policy after five seconds, and its earlier text until then", async () => {
        account.put("rolePolicies", "r:p", { name: "p", role: "r", policy: JSON.stringify(allowed) });
        const may = (action: string) => mayRole(account, "r", action, "arn:aws:s3:::b/k");
        const changed = { Statement: [{ ...allowed.Statement[0], Action: "s3:PutObject" }] };
        await rolePolicy.update!(account, "r:p", { policy: JSON.stringify(changed) });
        assert.deepEqual([may("s3:GetObject"), may("s3:PutObject")], [true, false]);
        account.wait(5);
        assert.deepEqual([may("s3:GetObject"), may("s3:PutObject")], [false, true]);
    });

    it("terminates an instance in 30 seconds, or is given up by the provider after 20 minutes", () => {
        awaitTerminated(account, "i-1", []);
        assert.equal(account.waited, 30);
        account.behave({ delays: { terminate: 2000 } });
        assert.throws(
            () => awaitTerminated(account, "i-1", []),
            /^Error: waiting for EC2 Instance \(i-1\) delete: timeout .* \(last state: 'shutting-down', timeout: 20m0s\)$/,
        );
        assert.equal(account.waited, 1230);
    });

    it("has detached the volumes of an instance when it is terminated", () => {
        const attachment = { name: "v", volume: "vol-1", instance: "i-1", device: "/dev/sdf" };
        const detaching = { ...attachment, until: account.now + 90_000 };
        account.put("volumes", "vol-1", { name: "v", zone: "eu-central-1a", size: 1, detaching });
        awaitTerminated(account, "i-1", ["vol-1"]);
        assert.ok(account.waited > 89 && account.waited <= 90, String(account.waited));
    });

    it("drains a group for ten minutes at most", () => {
        account.behave({ delays: { terminate: 700 } });
        assert.throws(() => awaitDrained(account, "g"), /^Error: waiting for Auto Scaling Group \(g\) drain: timeout/);
        assert.equal(account.waited, 600);
    });

    it("starts an instance once its zone has capacity, or is given up by the provider after 50 minutes", () => {
        account.behave({ lackedCapacity: [{ zone: "a", instanceType: "t3.large", until: account.now + 1000_000 }] });
        awaitCapacity(account, "eu-central-1b", "t3.large");
        awaitCapacity(account, "eu-central-1a", "t3.medium");
        assert.equal(account.waited, 0);
        awaitCapacity(account, "eu-central-1a", "t3.large");
        assert.ok(account.waited > 999 && account.waited <= 1000, String(account.waited));
        account.behave({ lackedCapacity: [{ zone: "a" }, { zone: "c" }] });
        assert.throws(
            () => awaitCapacity(account, "eu-central-1a", "t3.large"),
            /InsufficientInstanceCapacity: .* sufficient t3\.large capacity .* \(eu-central-1a\)\. .* choosing eu-central-1b\.$/,
        );
        assert.ok(account.waited > 3999 && account.waited <= 4000, String(account.waited));
    });

    it("launches a group's instances in another zone or of another type, or none for now", () => {
        account.put("subnets", "subnet-2", { name: "s2", vpc: "vpc-1", cidr: "10.9.0.16/28", zone: "eu-central-1b" });
        const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", groups: [] };
        const group = {
            ...{ name: "g", targetGroups: [], least: 0, most: 9, desired: 1, tags: {}, calls: "g", spec },
            ...{ subnets: ["subnet-1", "subnet-2"], createdFrom: "lt-1:1", isSpot: false, rebalances: false },
        };
        const [medium, large] = ["t3.medium", "t3.large"];
        const place = (types?: string[]) =>
            placeWithCapacity(account, { ...group, ...(types && { types }) }, "subnet-1");
        assert.deepEqual(place(), { subnet: "subnet-1", instanceType: medium });
        account.behave({ lackedCapacity: [{ zone: "a", instanceType: medium }] });
        assert.deepEqual(place(), { subnet: "subnet-2", instanceType: medium });
        assert.deepEqual(place([medium!, large!]), { subnet: "subnet-1", instanceType: large });
        account.behave({ lackedCapacity: [{ zone: "a" }, { zone: "b" }] });
        assert.equal(place([medium!, large!]), undefined);
    });

    it("gives new accounts a limit of vCPUs", () => {
        requireVcpus(account, "t3.medium");
        account.behave({ vcpuLimit: 1 });
        assert.throws(() => requireVcpus(account, "t3.medium"), /^Error: VcpuLimitExceeded: .* limit of 1 allows/);
    });

    it("reads the provider's default tags as JSON or as an object", () => {
        assert.deepEqual(defaultTagsIn('{"tags":{"a":"b"}}'), { a: "b" });
        assert.deepEqual(defaultTagsIn({ tags: { a: "b" } }), { a: "b" });
        assert.deepEqual(defaultTagsIn(undefined), {});
    });
});
