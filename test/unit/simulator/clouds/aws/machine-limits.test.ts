import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { requireCredits, requirePerformance } from "../../../../../simulator/clouds/aws/ebs";
import { types } from "../../../../../simulator/clouds/aws/types";
import { good } from "./good-inputs";

describe("what the simulated AWS refuses of machines", () => {
    let folder: string;
    let account: Account;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        account = Account.open(join(folder, "account.json"), { region: "eu-central-1", zones: {}, amis: {} });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    for (const [what, volume, message] of [
        ["io2 without IOPS", { type: "io2", size: 20 }, /iops must be specified for io2/],
        ["IOPS of gp2", { type: "gp2", size: 20, iops: 3000 }, /iops is not supported for gp2/],
        ["throughput of io1", { type: "io1", size: 20, iops: 100, throughput: 125 }, /throughput is not supported/],
        ["too many IOPS per GiB", { type: "gp3", size: 10, iops: 5001 }, /ratio of 500\.1 is not allowed/],
        ["too much throughput per IOPS", { type: "gp3", size: 20, throughput: 751 }, /too high/],
    ] as const) {
        it(`is ${what}`, () => {
            assert.throws(() => requirePerformance(volume), message);
        });
    }

    it("is CPU credits of instances without them", () => {
        assert.throws(() => requireCredits("m7i.large", { cpuCredits: "standard" }), /does not support CPU credits/);
        assert.doesNotThrow(() => requireCredits("t4g.small", { cpuCredits: "standard" }));
    });

    it("is an eleventh policy of a role, and a role that has one", async () => {
        const attachment = types["aws:iam/rolePolicyAttachment:RolePolicyAttachment"]!;
        account.put("roles", "r", { name: "r" });
        const attach = (index: number) =>
            attachment.create(account, { role: "r", policyArn: `arn:aws:iam::123456789012:policy/p${index}` });
        for (let index = 0; index < 10; index++) await attach(index);
        await assert.rejects(attach(10), /LimitExceeded/);
        await assert.rejects(async () => types["aws:iam/role:Role"]!.delete(account, "r"), /DeleteConflict/);
    });

    it("is a public policy of a bucket that blocks it", async () => {
        const inputs = good["s3/bucketPolicy:BucketPolicy"];
        const policy = types["aws:s3/bucketPolicy:BucketPolicy"]!;
        account.put("buckets", inputs.bucket, { name: inputs.bucket, isForced: true });
        await assert.rejects(policy.create(account, inputs), /BlockPublicPolicy/);
        account.put("publicAccessBlocks", inputs.bucket, { name: inputs.bucket, isOpen: true });
        assert.equal((await policy.create(account, inputs)).id, inputs.bucket);
    });

    it("is a second provider of a URL", async () => {
        const inputs = good["iam/openIdConnectProvider:OpenIdConnectProvider"];
        const provider = types["aws:iam/openIdConnectProvider:OpenIdConnectProvider"]!;
        const { id } = await provider.create(account, inputs);
        await assert.rejects(provider.create(account, inputs), /EntityAlreadyExists/);
        await provider.delete(account, id);
        assert.deepEqual(account.left, []);
    });
});
