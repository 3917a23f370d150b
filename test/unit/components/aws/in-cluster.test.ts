import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as pulumi from "@pulumi/pulumi";
import { createdInAws, findInAws } from "../../../../components/aws/in-cluster";
import { resolveAws } from "../../../../components/aws/resolve";
import { resolved } from "../../deploy";

const created = (options: object) => {
    const { cluster, aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", ...options });
    return createdInAws(cluster, aws, { vpc: { id: "vpc-1", ipv6CidrBlock: "" } }, []);
};

describe("what a cluster makes in AWS", () => {
    it("is nothing without AWS' own controllers", () => {
        assert.equal(created({}), undefined);
    });

    it("is load balancers by one, and volumes by the other", () => {
        const { hasLoadBalancers, drivers } = created({ cloudController: true })!;
        assert.deepEqual({ hasLoadBalancers, drivers }, { hasLoadBalancers: true, drivers: [] });
        const others = created({ csiDriver: true })!;
        assert.equal(others.hasLoadBalancers, false);
        assert.deepEqual(others.drivers, ["ebs.csi.aws.com"]);
    });

    it("is looked for in the cluster's VPC when the cluster is dead", async () => {
        const { cloud } = created({ cloudController: true })!;
        const place = { kind: "aws", region: "eu-central-1", vpcId: "vpc-1" };
        const tags = { clusterTag: "kubernetes.io/cluster/c", ownTag: "tradewind.dev/cluster" };
        assert.deepEqual(await resolved(pulumi.output(cloud)), { ...place, ...tags });
    });

    it("is found by the cluster's tag, without what has the stack's", () => {
        const commands = findInAws("c", "eu-central-1");
        assert.match(commands[0]!, /Key=kubernetes\.io\/cluster\/c,Values=owned .*tradewind\.dev\/cluster/);
        execFileSync("sh", ["-n"], { input: commands.join("\n") });
    });
});
