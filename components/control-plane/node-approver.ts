import type { NodeApproverPlan } from "../../agents/node-approver/plan";
import { serviceAccount } from "../addons/service-account";
import type { MachineGroups } from "../cluster/machine-groups";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { localApiServer } from "../nodes/api-server";
import { poolLabel } from "../nodes/pool-label";
import { accountAgentPod, frugal } from "./account-agent";
import { bootstrapGroup } from "./rbac";
import { immutableConfigMap, singleAgent } from "./single-agent";

const name = "node-approver";
const rbac = "rbac.authorization.k8s.io";
const certificates = "certificates.k8s.io";

/** The group of whoever has the lasting token of a pool: they may ask for a certificate, which nothing else approves. */
export function poolGroup(pool: string): string {
    return `${bootstrapGroup}-pool:${pool}`;
}

/** The agent that lets machines of groups become nodes. A pool's token does not end, and so says little. */
export function nodeApprover(cluster: Cluster, groups: MachineGroups, agent: string): Manifest[] {
    const plan = `${JSON.stringify(nodeApproverPlan(groups), null, 2)}\n`;
    const program = immutableConfigMap(name, { [`${name}.js`]: agent, "plan.json": plan });
    return [
        ...account(),
        mayAsk(Object.keys(groups.max)),
        program,
        singleAgent(name, accountAgentPod(cluster, name, { program: program.metadata.name, ...frugal })),
    ];
}

export function nodeApproverPlan({ namePattern, max }: MachineGroups): NodeApproverPlan {
    const pools = Object.entries(max).map(([pool, most]) => [poolGroup(pool), { pool, namePattern, max: most }]);
    return { apiServer: localApiServer, poolLabel, pools: Object.fromEntries(pools) };
}

function account(): Manifest[] {
    const kubelets = ["kubernetes.io/kube-apiserver-client-kubelet"];
    return serviceAccount(name, [
        { apiGroups: [""], resources: ["nodes"], verbs: ["list"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
        { apiGroups: [certificates], resources: ["signers"], resourceNames: kubelets, verbs: ["approve"] },
    ]);
}

function mayAsk(pools: readonly string[]): Manifest {
    return {
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: "tradewind:machine-groups" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "system:node-bootstrapper" },
        subjects: pools.map((pool) => ({ apiGroup: rbac, kind: "Group", name: poolGroup(pool) })),
    };
}
