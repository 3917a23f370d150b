import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Account } from "../../../../../simulator/clouds/aws/account";
import { awaitProfile, awaitRead, isDescribed } from "../../../../../simulator/clouds/aws/eventually";
import { requireVcpus } from "../../../../../simulator/clouds/aws/instances";
import { mayRole } from "../../../../../simulator/clouds/aws/policy";
import { defaultTagsIn } from "../../../../../simulator/clouds/aws/provider";
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
