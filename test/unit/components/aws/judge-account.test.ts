import assert from "node:assert/strict";
import {
    bucketProblem,
    groupProblem,
    keyProblem,
    nameProblem,
    offerProblem,
    poolProblem,
    poolWarning,
    quotaProblem,
    subnetProblem,
} from "../../../../components/aws/judge-account";

const region = "eu-central-1";
const [a, b, c] = ["a", "b", "c"].map((letter) => region + letter) as [string, string, string];

describe("what an AWS account must have before anything is created", () => {
    it("includes room in its quotas", () => {
        const quota = { what: "VPCs", used: 4, limit: 5, instead: "use an existing VPC with vpcId" };
        assert.equal(quotaProblem(region, 1, quota), undefined);
        assert.equal(quotaProblem(region, 0, { ...quota, used: 9 }), undefined);
        assert.equal(
            quotaProblem(region, 1, { ...quota, used: 5 }),
            "the account's quota of VPCs in eu-central-1 must be at least 6, 5 exist and 1 is to be created (got 5): request a higher one from AWS, or use an existing VPC with vpcId",
        );
        assert.match(
            quotaProblem(region, 3, { what: "Elastic IP addresses", used: 3, limit: 5 })!,
            /at least 6, 3 exist and 3 are to be created \(got 5\): request a higher one from AWS$/,
        );
    });

    it("includes names of buckets that are free", () => {
        assert.equal(
            bucketProblem("snapshotBucket.name", "acme", "of this account"),
            "snapshotBucket.name must be a name that no bucket has (got acme, which exists and is of this account): choose another name, delete it, or use one of this account as it is with etcdSnapshots.s3 (docs/aws.md#snapshots-in-s3)",
        );
        assert.match(
            bucketProblem("serviceAccountRoles.bucket", "acme", "of another account"),
            /got acme, which exists and is of another account\): choose another name, or delete it$/,
        );
    });

    it("includes AWS' own default key for EBS", () => {
        assert.equal(keyProblem(region, "alias/aws/ebs"), undefined);
        assert.equal(keyProblem(region, "arn:aws:kms:eu-central-1:123456789012:alias/aws/ebs"), undefined);
        const own = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
        assert.match(
            keyProblem(region, own)!,
            /^kmsKeyId must be set, because the account's default key for EBS in eu-central-1 is not AWS' own, but arn:\S+abcdef: /,
        );
    });

    it("includes names that are free", () => {
        assert.equal(
            nameProblem("c", region, "the load balancer c-api in vpc-1"),
            "the cluster's name must be one that no other cluster in eu-central-1 has (got c): the load balancer c-api in vpc-1 exists already. Choose another name, or delete what is left of an earlier cluster",
        );
        // The group of cluster a's pool b-c and of cluster a-b's pool c.
        for (const [cluster, pool] of [
            ["a", "b-c"],
            ["a-b", "c"],
        ] as const) {
            const problem = groupProblem(cluster, pool, region, "the Auto Scaling group");
            assert.match(
                problem,
                new RegExp(`got ${pool} in cluster ${cluster}\\): the Auto Scaling group a-b-c exists`),
            );
        }
    });
});

describe("the zones of instance types", () => {
    const offers = { "t3.medium": [a, b], "t4g.large": [], "m5.large": [a, b, c] };

    it("include those of controllers", () => {
        const at = (type: string, zone: string) =>
            offerProblem("controllers.instanceType", "c-controller-2", { type, zone }, offers);
        assert.equal(at("t3.medium", b), undefined);
        assert.equal(at("unknown.large", c), undefined);
        assert.equal(
            at("t3.medium", c),
            "controllers.instanceType must be a type that eu-central-1c has, where c-controller-2 would be (got t3.medium, which is only in eu-central-1a, eu-central-1b): choose another type, or zones that have it",
        );
        assert.match(at("t4g.large", a)!, /got t4g\.large, which no zone of the region has\): choose another type$/);
    });

    it("may be some of those of a pool, with a warning", () => {
        const places = { pool: "w", types: ["t3.medium"], zones: [a, b, c] };
        assert.equal(poolProblem(places, offers), undefined);
        assert.equal(
            poolWarning(places, offers),
            "pool w gets no instances in eu-central-1c, which does not have t3.medium: its group uses the other zones",
        );
        assert.equal(poolWarning({ ...places, types: ["t3.medium", "m5.large"] }, offers), undefined);
        assert.equal(poolWarning({ ...places, zones: [a, b] }, offers), undefined);
        assert.equal(poolWarning(places, {}), undefined);
    });

    it("include one of those of a pool", () => {
        const places = { pool: "w", types: ["t3.medium"], zones: [c] };
        const message = "pool w must have an instance type that eu-central-1c has (got t3.medium)";
        assert.equal(poolProblem(places, offers), message);
        assert.equal(poolWarning(places, offers), message);
        assert.equal(poolProblem({ ...places, zones: [] }, offers), undefined);
    });
});

describe("subnets of the API's load balancer", () => {
    const balancer = { name: "c-api", subnets: ["subnet-a", "subnet-b"] };

    it("may be more, even with others", () => {
        const known = ["subnet-b", "subnet-a", "subnet-c"];
        assert.equal(subnetProblem(balancer, { known, count: 3 }, "zones"), undefined);
        // Those of new zones do not exist in a preview.
        assert.equal(subnetProblem(balancer, { known: ["subnet-a", "subnet-b"], count: 3 }, "zones"), undefined);
        assert.equal(subnetProblem(balancer, { known: ["subnet-a"], count: 3 }, "zones"), undefined);
    });

    it("must not be fewer or as many others, which would delete it", () => {
        assert.equal(
            subnetProblem(balancer, { known: ["subnet-a"], count: 1 }, "zones"),
            "zones must keep the zones of the load balancer c-api (got none for subnet-b): it would be deleted and created again, and the API would be unreachable meanwhile",
        );
        assert.match(
            subnetProblem(balancer, { known: ["subnet-a"], count: 2 }, "loadBalancerSubnetIds")!,
            /^loadBalancerSubnetIds must keep the subnets of the load balancer c-api \(got none for subnet-b\): /,
        );
    });
});
