import type { NodeCleanerPlan } from "../../../agents/nodes/cleaner/plan";
import { ec2Of } from "../../../clients/aws/ec2-instances";
import { controllerLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import type { MachineGroups } from "../../resolve";
import { accountAgentPod, agentConfigMap, frugal, onOwnControllers } from "../agent-workloads";
import { deployment } from "../objects";
import { nodeEventsRole, serviceAccount } from "../rbac";

const name = "node-cleaner";

/** Groups whose machines are looked up in the cloud. */
export interface CleanedGroups extends Pick<MachineGroups, "namePattern"> {
    /** AWS region. */
    readonly region: string;
}

/** Deletes nodes of terminated instances in groups: nothing else does without a cloud controller. */
export function nodeCleaner(cluster: Cluster, groups: CleanedGroups, agent: string): Manifest[] {
    const program = agentConfigMap(name, agent, nodeCleanerPlan(groups));
    const pod = { program: program.metadata.name, ...frugal, trustsAsNode: true };
    return [
        ...serviceAccount(name, [{ apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch", "delete"] }]),
        ...nodeEventsRole(name),
        program,
        ...onOwnControllers(cluster, [deployment(name, accountAgentPod(cluster, name, pod))]),
    ];
}

export function nodeCleanerPlan({ namePattern, region }: CleanedGroups): NodeCleanerPlan {
    return { apiServer: localApiServer, ...ec2Of(region), namePattern, controllerLabel };
}
