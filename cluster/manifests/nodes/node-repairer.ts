import {
    type NodeRepairerPlan,
    nodeRepairerName,
    type RepairCloud,
    tokenVariable,
} from "../../../agents/nodes/repairer/plan";
import { repairsConfig } from "../../../agents/nodes/repairer/record";
import type { CloudName } from "../../clouds";
import { controllerLabel, poolLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import type { Repair } from "../../repair";
import { accountAgentPod, agentConfigMap, frugal, onOwnControllers } from "../agent-workloads";
import { readsEtcdStatus } from "../etcd/etcd-keeper";
import { deployment, secret, systemNamespace } from "../objects";
import { namespaceRole, nodeEventsRole, serviceAccount } from "../rbac";

const name = nodeRepairerName;
const tokenSecret = `${name}-token`;

/** How the agent repairs machines. */
export interface Repairs {
    readonly repair: Repair;
    /** @default - only a person can repair them */
    readonly by?: CloudRepair;
}

/** The cloud that repairs machines. */
export interface CloudRepair {
    readonly name: CloudName;
    readonly cloud: RepairCloud;
    /** Whether its API needs a token. @default - the instances' role has the permissions */
    readonly hasToken?: boolean;
}

/** The agent that restarts and replaces machines whose nodes are not Ready: docs/repair.md. */
export function nodeRepairer(cluster: Cluster, repairs: Repairs, agent: string): Manifest[] {
    const program = agentConfigMap(name, agent, nodeRepairerPlan(repairs));
    const secretKeyRef = { name: tokenSecret, key: "token" };
    const env = repairs.by?.hasToken ? [{ name: tokenVariable, valueFrom: { secretKeyRef } }] : [];
    const pod = { program: program.metadata.name, ...frugal, env, trustsAsNode: repairs.by !== undefined };
    const agents = [deployment(name, accountAgentPod(cluster, name, pod))];
    const hasRole = repairs.by !== undefined && !repairs.by.hasToken;
    return [...account(), program, ...(hasRole ? onOwnControllers(cluster, agents) : agents)];
}

export function nodeRepairerPlan({ repair, by }: Repairs): NodeRepairerPlan {
    return { apiServer: localApiServer, controllerLabel, poolLabel, ...repair, ...(by && { cloud: by.cloud }) };
}

/** On the record: the cloud that repairs machines. Without it, only a person can. */
export const repairedByAnnotation = "tradewind.dev/repaired-by";

/** Machines under repair. The stack creates it and leaves its data alone. */
export function repairsRecord({ by }: Pick<Repairs, "by">): Manifest {
    const annotations = by && { annotations: { [repairedByAnnotation]: by.name } };
    const metadata = { name: repairsConfig, namespace: systemNamespace, ...annotations };
    return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

/** Token for the cloud's API. */
export function nodeRepairerSecret(token: string): Manifest {
    return secret(tokenSecret, { token });
}

/** It changes no Node. */
function account(): Manifest[] {
    const configMaps = { apiGroups: [""], resources: ["configmaps"] };
    return [
        ...serviceAccount(name, [{ apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] }]),
        ...namespaceRole(name, [
            { ...configMaps, resourceNames: [repairsConfig], verbs: ["get", "list", "watch", "patch"] },
            ...readsEtcdStatus,
        ]),
        ...nodeEventsRole(name),
    ];
}
