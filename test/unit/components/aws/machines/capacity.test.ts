import assert from "node:assert/strict";
import { capacityProblem } from "../../../../../components/aws/machines/named-instance";

/** EC2's messages, and what the stack adds. */
const explained: [string, string, RegExp][] = [
    [
        "a type that the zone does not have",
        "creating EC2 Instance: operation error EC2: RunInstances, api error Unsupported: Your requested instance type (t3.medium) is not supported in your requested Availability Zone (us-east-1e). Please retry your request by not specifying an Availability Zone or choosing us-east-1a, us-east-1b.",
        /^us-east-1e, where n must be, does not have t3\.medium: set controllers\.instanceType to one that it has\. .*other zones$/,
    ],
    [
        "a quota of vCPUs",
        "creating EC2 Instance: api error VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 1 allows for the instance bucket that the specified instance type belongs to.",
        /^The account's quota of vCPUs has no room for n: request a higher one .*L-1216C47A/,
    ],
    [
        "the free plan",
        "api error InvalidParameterCombination: The specified instance type is not eligible for Free Tier. For a list of Free Tier instance types, run 'describe-instance-types' with the filter 'free-tier-eligible=true'.",
        /^The account is on AWS' free plan, which does not have the instance type of n: set .*free-tier-eligible,Values=true/,
    ],
    [
        "a zone without capacity",
        "api error InsufficientInstanceCapacity: We currently do not have sufficient t3.large capacity in the Availability Zone you requested (eu-central-1a).",
        /^EC2 has no t3\.large left in eu-central-1a, where n must be: run `pulumi up` again later, or /,
    ],
];

describe("an instance that EC2 does not start", () => {
    for (const [what, error, text] of explained) {
        it(`is explained: ${what}`, () => assert.match(capacityProblem("n", "controllers", error)!, text));
    }

    it("is not explained if the reason is another one", () => {
        const other = "api error InvalidParameterCombination: No operation is permitted";
        assert.equal(capacityProblem("n", "controllers", other), undefined);
    });
});
