import { autoscalerPermissions } from "../../../../../../../components/aws/iam/driver-permissions";
import { autoScaling } from "../../../../../../../simulator/clouds/aws/services/auto-scaling";
import { asked } from "../query/asked";

const permissions = autoscalerPermissions({ cluster: "c", region: "eu-central-1" });
export const owned = { "k8s.io/cluster-autoscaler/enabled": "true", "k8s.io/cluster-autoscaler/c": "owned" };

/** Two groups, one of which has the autoscaler's tags, and the instance `i-1`. */
export function groups() {
    const all = asked(autoScaling, "2011-01-01", permissions);
    const { account } = all;
    const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", groups: [] };
    account.put("launchTemplates", "lt-1", { name: "c-a", versions: [spec] });
    const group = { targetGroups: [], subnets: ["subnet-1"], spec, isSpot: false, rebalances: false };
    const sizes = { least: 0, most: 3, desired: 1, createdFrom: "lt-1:1" };
    account.put("autoScalingGroups", "c-a", { name: "c-a", calls: "c-a", tags: owned, ...group, ...sizes });
    const types = ["t3.medium", "t3a.medium"];
    account.put("autoScalingGroups", "c-b", { name: "c-b", calls: "c-b", tags: {}, types, ...group, ...sizes });
    account.change("instances", "i-1", (now) => ({ ...now, createdBy: "c-a", createdFrom: "lt-1:1" }));
    return all;
}
