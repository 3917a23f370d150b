import type { NodeGroups, NodeRemovalPlan } from "../../../agents/nodes/removal/plan";
import type { Machine } from "../../keys/credentials";
import { controllerLabel, poolLabel } from "../../labels";
import { type Manifest, priorities } from "../../manifest";
import { type Cluster, nodesByPool, possibleControllers } from "../../model";
import { localApiServer } from "../../network/ports";
import { paths } from "../../paths";
import { agentFiles, agentJob, agentPod, fromProgram } from "../agent-workloads";
import { clientUrl, peerUrl } from "../etcd/member";
import { configMap } from "../objects";
import { asRoot, beforeCloudController, beforeCni, fromHost, type PodSpec, underPressure } from "../pod";
import { serviceAccount } from "../rbac";
import { namedByStack } from "./desired-nodes";

/** Name of the agent and its service account. */
export const nodeRemovalName = "node-removal";

const name = nodeRemovalName;

/** Seconds that the stack waits: for disruption budgets, and for an agent that restarts after each failed step. */
const timeoutSeconds = 900;

/** The desired nodes, for the agent that removes all others. */
export function nodeRemovalPlan(
    cluster: Cluster,
    /** All that stay or are added, and those that may become one. */
    controllers: readonly Machine[],
    groups?: NodeGroups,
): NodeRemovalPlan {
    return {
        cluster: cluster.name,
        // Not the placeholders of groups: candidates that a group replaces have had the same names.
        desired: [...namedByStack(cluster, groups).keys()],
        ...(groups && { groups }),
        apiServer: localApiServer,
        poolLabel,
        controllerLabel,
        etcd: { endpoints: controllers.map(clientUrl), peerUrls: controllers.map(peerUrl), pki: paths.etcdPki },
        serviceAccount: "/var/run/secrets/kubernetes.io/serviceaccount",
    };
}

/** Service account of the agent, with the permissions that `kubectl drain` and `kubectl delete node` need. */
export function nodeRemovalAccount(): Manifest[] {
    return serviceAccount(name, [
        { apiGroups: [""], resources: ["nodes"], verbs: ["list", "patch", "delete"] },
        { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
        { apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] },
    ]);
}

/** The agent's source text and its plan. */
export function nodeRemovalConfig(plan: NodeRemovalPlan, agent: string): Manifest {
    return configMap(name, agentFiles(name, agent, plan));
}

/**
 * Runs the agent on a remaining controller until only desired nodes are left.
 *
 * Another list of nodes or pools is another Job, which previews show: a Job's template cannot be changed.
 */
export function nodeRemovalJob(cluster: Cluster, groups?: NodeGroups): Manifest {
    const annotations = {
        "tradewind.dev/desired-nodes": Object.values(nodesByPool(cluster)).flat().join(" "),
        ...(groups && { "tradewind.dev/desired-pools": groups.desired.join(" ") }),
    };
    return agentJob({ name, agent: name, timeoutSeconds, annotations }, podSpec(cluster));
}

function podSpec(cluster: Cluster): PodSpec {
    const values = [...possibleControllers(cluster)];
    const nodeSelectorTerms = [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values }] }];
    const placement = {
        serviceAccountName: name,
        nodeSelector: { [controllerLabel]: "" },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
        restartPolicy: "OnFailure",
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        enableServiceLinks: false,
        // But not a lost node.
        tolerations: [
            { key: controllerLabel, operator: "Exists", effect: "NoSchedule" },
            ...underPressure,
            ...beforeCloudController(cluster),
            ...beforeCni(cluster),
        ],
        // Root without capabilities, to read a member's key.
        securityContext: asRoot,
    };
    return agentPod(cluster, name, placement, {
        mounted: [fromProgram(name, name), fromHost("pki", paths.etcdPki, { readOnly: true })],
    });
}
