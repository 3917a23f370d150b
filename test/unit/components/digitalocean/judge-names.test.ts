import assert from "node:assert/strict";
import { parseCidr } from "../../../../cluster/network/cidr";
import {
    blockProblem,
    type FoundDroplet,
    foreignWarning,
    nameProblem,
    tagProblem,
} from "../../../../components/digitalocean/judge-names";

const droplet = (name: string, tag: string, vpcUuid = "v1"): FoundDroplet => {
    return { name, size: "s-1vcpu-1gb", disk: 80, tags: ["other", tag], vpcUuid };
};
const servers = Array.from({ length: 7 }, (_, index) => droplet(`web-${index}`, "Prod"));

describe("names that a cluster on DigitalOcean shares with the account", () => {
    it("are refused if something has them", () => {
        assert.equal(nameProblem("c", []), undefined);
        assert.match(
            nameProblem("c", ["the VPC c", "the load balancer c-api"])!,
            /^the cluster's name must be one that nothing in the account has \(got c\): the account already has the VPC c, the load balancer c-api\. Choose another name\. .* `pulumi import`$/,
        );
    });

    it("include tags of droplets, whatever their case", () => {
        assert.equal(tagProblem("prod", "prod-controller", servers), undefined);
        assert.match(
            tagProblem("prod", "prod", servers)!,
            /has droplets with the tag prod \(web-0, web-1, web-2, web-3, web-4 and 2 more\)\./,
        );
    });

    it("are warned of when a droplet of another VPC has a running cluster's tag", () => {
        assert.equal(foreignWarning("prod", "v1", servers), undefined);
        assert.match(
            foreignWarning("prod", "v1", [...servers, droplet("db", "prod", "v2")])!,
            /^the tag prod must only be on this cluster's droplets, .*: remove it from db$/,
        );
    });
});

describe("the block of a VPC on DigitalOcean", () => {
    const block = parseCidr("vpcCidr", "172.24.0.0/20");
    const own = [parseCidr("podCidr", "172.24.16.0/20")];
    const cases: [string, { name: string; ipRange: string }[], RegExp | undefined][] = [
        ["no other VPC", [], undefined],
        ["others apart from it", [{ name: "default", ipRange: "10.114.0.0/20" }], undefined],
        [
            "another one with the default block",
            [{ name: "prod", ipRange: "172.24.0.0/20" }],
            /^vpcCidr must not overlap 172\.24\.0\.0\/20 of the VPC prod \(got 172\.24\.0\.0\/20\); 172\.24\.32\.0\/20 is free$/,
        ],
        [
            "one that contains all that could be suggested",
            [
                { name: "a", ipRange: "172.16.0.0/12" },
                { name: "b", ipRange: "10.0.0.0/16" },
            ],
            /^vpcCidr must not overlap .* of the VPC a \(got \S+\)$/,
        ],
    ];
    for (const [what, vpcs, expected] of cases) {
        it(`is judged with ${what}`, () => {
            const problem = blockProblem(block, { vpcs, own });
            if (expected) assert.match(problem ?? "", expected);
            else assert.equal(problem, undefined);
        });
    }
});
