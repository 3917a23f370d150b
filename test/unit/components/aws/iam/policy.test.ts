import assert from "node:assert/strict";
import { arnsIn, policy } from "../../../../../components/aws/iam/policy";

describe("a policy", () => {
    it("allows the given actions, on all resources if none are named", () => {
        const condition = { StringEquals: { "aws:RequestTag/a": "b" } };
        const text = policy([
            { actions: ["ec2:DescribeInstances"] },
            { actions: ["ec2:CreateVolume"], resources: ["arn"], condition },
        ]);
        assert.deepEqual(JSON.parse(text), {
            Version: "2012-10-17",
            Statement: [
                { Effect: "Allow", Action: ["ec2:DescribeInstances"], Resource: ["*"] },
                { Effect: "Allow", Action: ["ec2:CreateVolume"], Resource: ["arn"], Condition: condition },
            ],
        });
    });

    for (const [region, arn] of [
        ["eu-central-1", "arn:aws:ec2:eu-central-1:*:volume/*"],
        ["cn-north-1", "arn:aws-cn:ec2:cn-north-1:*:volume/*"],
        ["us-gov-west-1", "arn:aws-us-gov:ec2:us-gov-west-1:*:volume/*"],
    ] as const) {
        it(`names what is in ${region}`, () => assert.equal(arnsIn("ec2", region)("volume/*"), arn));
    }
});
