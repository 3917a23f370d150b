import { joinedMachines } from "../../../agents/nodes/approver/joined";
import type { InstancesPlan, Machines, ServingApproverPlan } from "../../../agents/nodes/serving-approver/plan";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { localApiServer } from "../../network/ports";
import { accountAgentPod, agentConfigMap, frugal, onOwnControllers } from "../agent-workloads";
import { configMap, deployment, json } from "../objects";
import { namespaceRole, serviceAccount } from "../rbac";

const name = "serving-approver";
const machinesConfig = `${name}-machines`;
const machinesPath = `/etc/tradewind/${name}`;
const machinesFile = "machines.json";
const certificates = "certificates.k8s.io";

/**
 * The agent that approves kubelet serving certificates for names and addresses of the stack's machines, and of those that
 * joined by a token.
 *
 * @param instances - where their addresses are looked up.
 * @default they are known
 */
export function servingApprover(cluster: Cluster, agent: string, instances?: InstancesPlan): Manifest[] {
    const machines = `${machinesPath}/${machinesFile}`;
    const plan: ServingApproverPlan = { apiServer: localApiServer, machines, ...(instances && { instances }) };
    const program = agentConfigMap(name, agent, plan);
    const configMaps = [{ name: "machines", configMap: machinesConfig, mountPath: machinesPath }];
    const pod = { program: program.metadata.name, ...frugal, configMaps, ...(instances && { trustsAsNode: true }) };
    const agents = [deployment(name, accountAgentPod(cluster, name, pod))];
    return [...account(), program, ...(instances ? onOwnControllers(cluster, agents) : agents)];
}

/** The existing machines. The agent reloads them when they change. */
export function servingMachines(machines: Machines): Manifest {
    return configMap(machinesConfig, { [machinesFile]: json(machines) });
}

function account(): Manifest[] {
    const joined = { apiGroups: [""], resources: ["configmaps"], resourceNames: [joinedMachines], verbs: ["get"] };
    const own = serviceAccount(name, [
        { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list", "watch"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
        {
            apiGroups: [certificates],
            resources: ["signers"],
            resourceNames: ["kubernetes.io/kubelet-serving"],
            verbs: ["approve"],
        },
    ]);
    return [...own, ...namespaceRole(name, [joined])];
}
