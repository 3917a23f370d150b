import assert from "node:assert/strict";
import { cloudControllerRights } from "../../../../../components/aws/iam/cloud-controller-rights";

const rights = cloudControllerRights({ cluster: "c", region: "eu-central-1", vpcId: "vpc-1" });
const tag = "kubernetes.io/cluster/c";

describe("the rights of the cloud controller", () => {
    it("change nothing that has not the cluster's tag, nor is asked for with it", () => {
        for (const { actions, resources, condition } of rights) {
            if (actions.every((action) => /:Describe/.test(action))) continue;
            assert.ok(resources && !resources.includes("*"), String(actions));
            const isInVpc = resources.join() === "arn:aws:ec2:eu-central-1:*:vpc/vpc-1";
            const text = JSON.stringify(condition ?? {});
            const isLimited = text.includes(`Tag/${tag}":"owned"`) || text.includes(":CreateAction");
            assert.ok(isInVpc || isLimited, String(actions));
        }
    });

    it("delete nothing that the stack made", () => {
        for (const { actions, condition } of rights.filter(({ actions: all }) => /:Delete|:Modify/.test(all.join()))) {
            assert.deepEqual(condition!.Null, { "aws:ResourceTag/tradewind.dev/cluster": "true" }, String(actions));
        }
    });

    it("take nobody's identity, and reach no bucket, instance or key", () => {
        const services = new Set(rights.flatMap(({ actions }) => actions.map((action) => action.split(":")[0])));
        assert.deepEqual([...services].sort(), ["ec2", "elasticloadbalancing"]);
        const all = rights.flatMap(({ actions }) => actions);
        assert.deepEqual(
            all.filter((action) => /Instances?$|Volume|\*/.test(action) && !/:Describe|LoadBalancer$/.test(action)),
            [],
        );
    });
});
