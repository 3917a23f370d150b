import { nodeAgentApp } from "../../../agents/nodes/reboot-approver/observe";
import type { RebootApproverPlan } from "../../../agents/nodes/reboot-approver/plan";
import { rebootLease } from "../../../clients/kubernetes/reboot-turn";
import { controllerLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import type { OsReboots } from "../../os-reboots";
import { accountAgentPod, agentConfigMap, frugal } from "../agent-workloads";
import { readsEtcdStatus } from "../etcd/etcd-keeper";
import { deployment, systemNamespace } from "../objects";
import { namespaceRole, nodeEventsRole, role, serviceAccount, subjects } from "../rbac";

const name = "reboot-approver";
const coordination = "coordination.k8s.io";

/** What must be healthy before a node is rebooted, in addition to the node-agents. */
const controlPlane = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** The agent that allows nodes to reboot, one at a time. */
export function rebootApprover(cluster: Cluster, reboots: OsReboots, agent: string): Manifest[] {
    const program = agentConfigMap(name, agent, rebootApproverPlan(reboots));
    return [
        ...account(),
        ...mayObserve(),
        program,
        deployment(name, accountAgentPod(cluster, name, { program: program.metadata.name, ...frugal })),
    ];
}

export function rebootApproverPlan({ windows }: OsReboots): RebootApproverPlan {
    return { apiServer: localApiServer, windows, daemonSets: controlPlane, controllerLabel };
}

/** It reads Nodes but changes none: a node-agent changes its own Node when the Lease allows it. */
function account(): Manifest[] {
    const leases = { apiGroups: [coordination], resources: ["leases"] };
    return [
        ...serviceAccount(name, [{ apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] }]),
        ...namespaceRole(name, [
            { ...leases, verbs: ["create"] },
            { ...leases, resourceNames: [rebootLease], verbs: ["get", "patch"] },
            { apiGroups: ["apps"], resources: ["daemonsets"], verbs: ["list"] },
            { apiGroups: ["batch"], resources: ["jobs"], verbs: ["list"] },
            ...readsEtcdStatus,
        ]),
        ...nodeEventsRole(name),
    ];
}

/** Every node may read whose turn it is, but not change it. */
function mayObserve(): Manifest[] {
    const get = { apiGroups: [coordination], resources: ["leases"], resourceNames: [rebootLease], verbs: ["get"] };
    const metadata = { name: `tradewind:${nodeAgentApp}-${rebootLease}`, namespace: systemNamespace };
    return role(metadata, [get], subjects.group("system:nodes"));
}
