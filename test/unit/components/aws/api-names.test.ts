import assert from "node:assert/strict";
import type { AwsClusterArgs } from "../../../../components/aws/cluster";
import type { Deployed } from "../../deploy";
import { deployAws } from "./deploy-aws";

const machines = ["aws:ec2/instance:Instance", "aws:autoscaling/group:Group"];
const names = ["aws:route53/record:Record", "aws:route53/zoneAssociation:ZoneAssociation", "aws:route53/zone:Zone"];

const clusters: Readonly<Record<string, Partial<AwsClusterArgs>>> = {
    "in a public zone": {},
    "by IPv6 too": { ipv6: true },
    "in a zone of its nodes too": { nodeApiAccess: "internal" },
    "in a private zone of its own": { apiAccess: "internal", privateZone: "own" },
    "in a private zone": { apiAccess: "internal", privateZone: "ZTHEIRS" },
};

/** Names that an instance looks up: not the name of ingress. */
const isAsked = ({ type, name }: Deployed) => names.includes(type) && !name.includes("ingress");

describe("the API's name on AWS", function () {
    this.timeout(60_000);

    for (const [where, options] of Object.entries(clusters)) {
        it(`exists ${where} before a machine looks it up, because resolvers cache a negative answer`, async () => {
            const pools = [{ name: "default" }, { name: "scaled", min: 1, max: 3 }];
            const { resources } = await deployAws({
                controllers: { count: 3 },
                workerPools: pools,
                ingress: {},
                ...options,
            });
            const asked = resources.filter(isAsked).map(({ name }) => name);
            assert.ok(asked.length > 0);
            const asking = resources.filter(({ type }) => machines.includes(type));
            assert.equal(asking.length, 5);
            for (const { name, dependsOn } of asking) {
                assert.deepEqual(
                    asked.filter((each) => !dependsOn.includes(each)),
                    [],
                    `${name} does not wait for it`,
                );
            }
        });
    }
});
