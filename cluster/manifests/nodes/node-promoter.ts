import { type NodePromoterPlan, nodePromoterName } from "../../../agents/nodes/promoter/plan";
import { controllersConfig } from "../../../agents/nodes/promoter/record";
import type { Machine } from "../../keys/credentials";
import { controllerLabel } from "../../labels";
import { contentHash, type Manifest, priorities } from "../../manifest";
import { type Cluster, possibleControllers } from "../../model";
import { localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentFiles, agentPod, fromProgram, frugal } from "../agent-workloads";
import { peerUrl } from "../etcd/member";
import { configMap, daemonSet } from "../objects";
import { asRoot, everywhere, fromHost, type PodSpec } from "../pod";
import { namespaceRole, nodeEventsRole, serviceAccount } from "../rbac";

const name = nodePromoterName;

/** @param machines - the stack's controllers, and the candidates */
export function nodePromoterPlan(cluster: Cluster, machines: readonly Machine[]): NodePromoterPlan {
    const { names, candidates, replaceAfterSeconds } = cluster.controllers;
    return {
        apiServer: localApiServer,
        etcd: `https://127.0.0.1:${ports.etcdClient}`,
        pki: paths.etcdPki,
        controllerLabel,
        count: names.length,
        peerUrls: Object.fromEntries(machines.map((machine) => [machine.name, peerUrl(machine)])),
        candidates: [...candidates],
        replaceAfter: replaceAfterSeconds,
    };
}

/** The agent's source text and its plan. */
export function nodePromoterConfig(plan: NodePromoterPlan, agent: string): Manifest {
    return configMap(name, agentFiles(name, agent, plan));
}

/** What the agent may do. Nodes other than possible controllers are only listed. */
export function nodePromoterAccount(cluster: Cluster): Manifest[] {
    const core = { apiGroups: [""] };
    return [
        ...serviceAccount(name, [
            { ...core, resources: ["nodes"], verbs: ["list", "watch"] },
            {
                ...core,
                resources: ["nodes"],
                resourceNames: [...possibleControllers(cluster)],
                verbs: ["get", "patch"],
            },
        ]),
        ...namespaceRole(name, [
            {
                ...core,
                resources: ["configmaps"],
                resourceNames: [controllersConfig],
                verbs: ["get", "list", "watch", "patch"],
            },
            // Names of pods are not known. It deletes those of etcd-join, so that they run again.
            { ...core, resources: ["pods"], verbs: ["list", "delete"] },
        ]),
        ...nodeEventsRole(name),
    ];
}

/**
 * The agent that makes candidates controllers and replaces lost ones: docs/candidates.md.
 *
 * One runs on each controller, but only the one on the machine of etcd's leader acts. It is not checkpointed: it needs
 * the API for everything it does.
 */
export function nodePromoter(cluster: Cluster, agent: string): Manifest {
    const { names, replaceAfterSeconds } = cluster.controllers;
    const annotations = {
        // Another program or policy replaces the pods.
        "tradewind.dev/program": contentHash(agent),
        [countAnnotation]: String(names.length),
        [possibleAnnotation]: possibleControllers(cluster).join(" "),
        "tradewind.dev/replace-after": `${replaceAfterSeconds}s`,
    };
    return daemonSet(name, podSpec(cluster), { annotations });
}

/** Template annotation with the desired number of controllers. */
export const countAnnotation = "tradewind.dev/controllers";

/** Template annotation with the names of all nodes that may be controllers. */
export const possibleAnnotation = "tradewind.dev/possible-controllers";

/** Template annotation with the addresses that the pods started with. */
export const addressesAnnotation = "tradewind.dev/addresses";

function podSpec(cluster: Cluster): PodSpec {
    const placement = {
        serviceAccountName: name,
        nodeSelector: { [controllerLabel]: "" },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        enableServiceLinks: false,
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        // Root without capabilities, to read its member's key.
        securityContext: asRoot,
    };
    return agentPod(cluster, name, placement, {
        options: ["--max-semi-space-size=1", ...frugal.options],
        cpu: frugal.cpu,
        mounted: [fromProgram(name, name), fromHost("pki", paths.etcdPki, { readOnly: true })],
    });
}
