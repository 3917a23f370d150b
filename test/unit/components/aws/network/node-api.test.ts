import assert from "node:assert/strict";
import type { Deployed } from "../../../deploy";
import { deployAws as create } from "../deploy-aws";

describe("the nodes' way to a public API on AWS", function () {
    this.timeout(60_000);
    let resources: Deployed[];
    const ofType = (type: string, name = "c-nodes") =>
        resources.find((each) => each.name === name && each.type.endsWith(`:${type}`))!;

    before(async () => {
        const options = { controllers: { count: 3 }, workerPools: [{ name: "default" }] };
        ({ resources } = await create({ ...options, apiAllowedCidrs: ["192.0.2.0/24"], ipv6: true }));
    });

    it("is an internal load balancer of the same controllers", () => {
        const { internal, ipAddressType, subnets, securityGroups } = ofType("LoadBalancer").inputs;
        assert.deepEqual([internal, ipAddressType, securityGroups], [true, undefined, ["c-load-balancer-id"]]);
        assert.equal(subnets.length, 3);
        const attached = resources.filter(({ type }) => type.endsWith(":TargetGroupAttachment"));
        const group = (name: string) =>
            attached
                .filter(({ inputs }) => inputs.targetGroupArn === name)
                .map(({ inputs }) => inputs.targetId)
                .sort();
        assert.deepEqual(
            group("targets-arn c-nodes"),
            [0, 1, 2].map((index) => `c-controller-${index}-id`),
        );
        assert.deepEqual(group("targets-arn c-nodes"), group("targets-arn c-api"));
    });

    it("lets controllers connect to themselves through it", () => {
        assert.equal(ofType("TargetGroup").inputs.preserveClientIp, "false");
        assert.deepEqual(ofType("TargetGroup").inputs.healthCheck, ofType("TargetGroup", "c-api").inputs.healthCheck);
    });

    it("has the API's name in the VPC alone, and hides no other name of the domain there", () => {
        const zone = ofType("Zone");
        assert.deepEqual([zone.inputs.name, zone.inputs.vpcs], ["api.c.example.com", [{ vpcId: "c-id" }]]);
        // In a running cluster the name is missing between the two: nothing slow may be in between.
        assert.ok(zone.dependsOn.includes("c-nodes"));
        assert.deepEqual(zone.opts.ignoreChanges, ["vpcs"]);
        const records = resources.filter(({ type }) => type.endsWith(":Record"));
        assert.deepEqual(records.map(({ name, inputs }) => [name, inputs.name, inputs.type, inputs.zoneId]).sort(), [
            ["c-api", "api.c.example.com", "A", "Z1"],
            ["c-api-ipv6", "api.c.example.com", "AAAA", "Z1"],
            ["c-nodes", "api.c.example.com", "A", "ZOWN"],
        ]);
    });

    it("is open to the whole VPC, and a NAT gateway's address is not", () => {
        const clients = resources.filter(({ name }) => name.startsWith("c-load-balancer-api-"));
        assert.deepEqual(
            clients.flatMap(({ name, inputs }) => (inputs.cidrIpv4 ? [[name, inputs.cidrIpv4]] : [])).sort(),
            [
                ["c-load-balancer-api-192-0-2-0-24", "192.0.2.0/24"],
                ["c-load-balancer-api-vpc", "10.0.0.0/16"],
            ],
        );
    });
});
