import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { mayRole } from "../../../../../simulator/clouds/aws/policy";
import { example } from "./services/example";

describe("the permissions of a role in a simulated AWS", () => {
    const { folder, account } = example();
    after(() => rmSync(folder, { recursive: true }));
    const allow = (...Statement: object[]) =>
        account.put("rolePolicies", "r:p", { name: "p", role: "r", policy: JSON.stringify({ Statement }) });
    const may = (action: string, resource: string, role = "r") => mayRole(account, role, action, resource);

    it("are those of its own policy", () => {
        allow({ Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::configs/nodes/a/*" });
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/nodes/a/x.ign"), true);
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/nodes/b/x.ign"), false);
        assert.equal(may("s3:PutObject", "arn:aws:s3:::configs/nodes/a/x.ign"), false);
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/nodes/a/x.ign", "other"), false);
    });

    it("match patterns, in which a dot is a dot", () => {
        allow({ Effect: "Allow", Action: ["s3:Get*"], Resource: ["arn:aws:s3:::a.b/?"] });
        assert.equal(may("s3:GetObject", "arn:aws:s3:::a.b/x"), true);
        assert.equal(may("s3:GetObject", "arn:aws:s3:::a.b/xy"), false);
        assert.equal(may("s3:GetObject", "arn:aws:s3:::aXb/x"), false);
    });

    const any = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };

    it("exclude what another statement denies, and what none allows", () => {
        allow(any, { ...any, Effect: "Deny", Resource: "arn:aws:s3:::configs/x" });
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/x"), false);
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/y"), true);
        allow();
        assert.equal(may("s3:GetObject", "arn:aws:s3:::configs/y"), false);
    });

    const isOne = { StringEquals: { "aws:ResourceTag/a": "1" } };
    const isMissing = { Null: { "aws:ResourceTag/a": "true" } };
    for (const [what, Condition, context, is] of [
        ["a matching tag", isOne, { "aws:ResourceTag/a": "1" }, true],
        ["a different tag", isOne, { "aws:ResourceTag/a": "2" }, false],
        ["a missing tag", isOne, {}, false],
        ["a tag's name in capitals", isOne, { "aws:ResourceTag/A": "1" }, false],
        ["a key in capitals", { StringEquals: { "AWS:ResourceTag/a": "1" } }, { "aws:ResourceTag/a": "1" }, true],
        ["a forbidden tag that is present", isMissing, { "aws:ResourceTag/a": "" }, false],
        ["a forbidden tag that is absent", isMissing, {}, true],
        [
            "one of several values",
            { StringEquals: { "ec2:CreateAction": ["A", "B"] } },
            { "ec2:CreateAction": "B" },
            true,
        ],
        ["a number", { NumericGreaterThan: { "ec2:VolumeIops": "10" } }, { "ec2:VolumeIops": "11" }, true],
        [
            "a number that is no larger",
            { NumericGreaterThan: { "ec2:VolumeIops": "10" } },
            { "ec2:VolumeIops": "9" },
            false,
        ],
        ["a pattern", { StringLike: { "aws:RequestTag/a": "b*" } }, { "aws:RequestTag/a": "bc" }, true],
        [
            "two conditions, one of which fails",
            { ...isOne, Null: { "aws:ResourceTag/b": "false" } },
            { "aws:ResourceTag/a": "1" },
            false,
        ],
    ] as const) {
        it(`${is ? "include" : "exclude"} a conditional action, for ${what}`, () => {
            allow({ ...any, Condition });
            assert.equal(mayRole(account, "r", "s3:GetObject", "*", context), is);
        });
    }

    it("are not simulated with other conditions", () => {
        allow({ ...any, Condition: { DateLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } } });
        assert.throws(() => may("s3:GetObject", "*"), /DateLessThan of a policy is not simulated/);
    });
});
