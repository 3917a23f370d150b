import { checkpointAnnotation } from "../../../agents/checkpointer/plan";
import { admissionsLease } from "../../../agents/nodes/approver/admissions";
import { joinedMachines } from "../../../agents/nodes/approver/joined";
import type { AdmittedControllers, NodeApproverPlan, NodePools } from "../../../agents/nodes/approver/plan";
import { controllersConfig as controllersRecordName } from "../../../agents/nodes/promoter/record";
import type { ApproverCredentials } from "../../keys/credentials";
import { kubeconfig } from "../../kubeconfig";
import { controllerLabel, poolLabel } from "../../labels";
import { contentHash, fieldManager, type Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { localApiServer } from "../../network/ports";
import { agentConfigMap, agentPod, fromProgram, frugal, programPath } from "../agent-workloads";
import { keysOf } from "../control-plane/secrets";
import { configMap, daemonSet, json, secret, systemNamespace } from "../objects";
import { asUser, componentUsers, credentialsPath, everywhere, fromSecret, nodeCas, onHost, type PodSpec } from "../pod";
import { proxyEnv } from "../proxy-env";
import {
    clusterBinding,
    clusterRole,
    nodeApproverUser,
    nodeGroupPrefix,
    poolGroupPrefix,
    role,
    subjects,
} from "../rbac";

export const nodeApproverName = "node-approver" as const;

const name = nodeApproverName;
const certificates = "certificates.k8s.io";
export const nodePoolsName = "node-pools";
export const admittedControllersName = "admitted-controllers";

export interface NodeApproverOptions {
    /** Source text of the agent. */
    readonly agent: string;
    /** Whether it queries EC2, possibly through a proxy trusted by its node. @default false */
    readonly asksEc2?: boolean;
}

/**
 * The agent that admits machines as nodes, and restores the role of controllers that register again, also of candidates
 * that are controllers.
 *
 * One runs on each controller with its own certificate, and is checkpointed: what brings a cluster back must not depend
 * on it.
 */
export function nodeApprover(
    cluster: Cluster,
    secrets: ApproverCredentials,
    { agent, asksEc2 = false }: NodeApproverOptions,
): Manifest[] {
    const program = agentConfigMap(name, agent, nodeApproverPlan(cluster));
    const kubeconfig = access(cluster, secrets);
    const annotations = {
        // Another certificate replaces the pods.
        "tradewind.dev/credentials": contentHash(kubeconfig),
        ...keysOf(cluster, "kube-scheduler"),
        [checkpointAnnotation]: "true",
    };
    return [
        ...permissions(cluster),
        program,
        secret(name, { kubeconfig }),
        daemonSet(name, podSpec(cluster, program, asksEc2), { annotations }),
    ];
}

export function nodeApproverPlan({
    certificates: { kubeletRenewal },
    controllers: { candidates },
}: Pick<Cluster, "certificates" | "controllers">): NodeApproverPlan {
    return {
        apiServer: localApiServer,
        groupPrefix: poolGroupPrefix,
        nodeGroupPrefix,
        poolLabel,
        controllerPool: "controller",
        controllerLabel,
        pools: nodePoolsName,
        controllers: admittedControllersName,
        fieldManager,
        ...(candidates.length > 0 && { record: controllersRecordName, candidates: [...candidates] }),
        ...(kubeletRenewal === "listed" && { renews: true }),
    };
}

/** The allowed nodes. The agent reads it for each request. */
export function nodePoolsConfig(pools: NodePools): Manifest {
    return configMap(nodePoolsName, { "pools.json": json(pools) });
}

/** Pools whose nodes are named by the stack. @param without - pools whose machines are named by their cloud */
export function namedPools(cluster: Cluster, without: readonly string[] = []): NodePools {
    const pools = Object.entries(nodesByPool(cluster)).filter(([pool]) => !without.includes(pool));
    return { pools: Object.fromEntries(pools.map(([pool, nodes]) => [pool, { nodes }])) };
}

/** Controllers whose etcd members have joined. */
export function admittedControllers(names: AdmittedControllers): Manifest {
    return configMap(admittedControllersName, { "controllers.json": json(names) });
}

function permissions({ controllers: { candidates } }: Cluster): Manifest[] {
    const user = subjects.user(nodeApproverUser);
    const kubelets = ["kubernetes.io/kube-apiserver-client-kubelet"];
    const lease = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
    const read = [
        nodePoolsName,
        admittedControllersName,
        joinedMachines,
        ...(candidates.length > 0 ? [controllersRecordName] : []),
    ];
    const configs = { apiGroups: [""], resources: ["configmaps"], resourceNames: read };
    return [
        clusterRole(`tradewind:${name}`, [
            { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch", "patch"] },
            { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list", "watch"] },
            { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
            { apiGroups: [certificates], resources: ["signers"], resourceNames: kubelets, verbs: ["approve"] },
        ]),
        clusterBinding(`tradewind:${name}`, `tradewind:${name}`, user),
        ...role(
            { name: `tradewind:${name}`, namespace: systemNamespace },
            [
                { ...configs, verbs: ["get"] },
                { ...configs, resourceNames: [joinedMachines], verbs: ["patch"] },
                { ...lease, resourceNames: [admissionsLease], verbs: ["get", "patch"] },
                { ...lease, verbs: ["create"] },
            ],
            user,
        ),
    ];
}

function access(cluster: Cluster, { kubernetesCa, nodeApprover: credentials }: ApproverCredentials): string {
    return kubeconfig({
        cluster: cluster.name,
        server: localApiServer,
        ca: kubernetesCa.cert,
        user: nodeApproverUser,
        credentials,
    });
}

function podSpec(cluster: Cluster, program: Manifest, asksEc2: boolean): PodSpec {
    const user = componentUsers[name];
    const placement = {
        ...onHost("control"),
        nodeSelector: { [controllerLabel]: "" },
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        securityContext: asUser(user, user),
    };
    return agentPod(cluster, name, placement, {
        options: ["--max-semi-space-size=1", ...frugal.options],
        // Like kube-scheduler's: the checkpointer recognizes pods that need the API by it.
        args: [`${programPath(name)}/plan.json`, `--kubeconfig=${credentialsPath}/kubeconfig`],
        ...(asksEc2 && { env: [nodeCas.env, ...proxyEnv(cluster)] }),
        cpu: frugal.cpu,
        memory: "48Mi",
        mounted: [
            fromProgram(name, program.metadata.name),
            fromSecret("credentials", name, credentialsPath),
            ...(asksEc2 ? [nodeCas] : []),
        ],
    });
}
