import assert from "node:assert/strict";
import { cloudControllerPermissions } from "../../../../../components/aws/iam/cloud-controller-permissions";

const permissions = cloudControllerPermissions({ cluster: "c", region: "eu-central-1", vpcId: "vpc-1" });
const tag = "kubernetes.io/cluster/c";

describe("the permissions of the cloud controller", () => {
    it("change and create only resources with the cluster's tag", () => {
        for (const { actions, resources, condition } of permissions) {
            if (actions.every((action) => /:Describe/.test(action))) continue;
            assert.ok(resources && !resources.includes("*"), String(actions));
            const isInVpc = resources.join() === "arn:aws:ec2:eu-central-1:*:vpc/vpc-1";
            const text = JSON.stringify(condition ?? {});
            const isLimited = text.includes(`Tag/${tag}":"owned"`) || text.includes(":CreateAction");
            assert.ok(isInVpc || isLimited, String(actions));
        }
    });

    it("delete nothing that the stack created", () => {
        for (const { actions, condition } of permissions.filter(({ actions: all }) =>
            /:Delete|:Modify/.test(all.join()),
        )) {
            assert.deepEqual(condition!.Null, { "aws:ResourceTag/tradewind.dev/cluster": "true" }, String(actions));
        }
    });

    it("assume no role, and reach no bucket, instance or key", () => {
        const services = new Set(permissions.flatMap(({ actions }) => actions.map((action) => action.split(":")[0])));
        assert.deepEqual([...services].sort(), ["ec2", "elasticloadbalancing"]);
        const all = permissions.flatMap(({ actions }) => actions);
        assert.deepEqual(
            all.filter((action) => /Instances?$|Volume|\*/.test(action) && !/:Describe|LoadBalancer$/.test(action)),
            [],
        );
    });
});
