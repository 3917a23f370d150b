import { checkpointAnnotation } from "../../../agents/checkpointer/plan";
import { admissionsLease } from "../../../agents/nodes/approver/admissions";
import type { AdmittedControllers, NodeApproverPlan, NodePools } from "../../../agents/nodes/approver/plan";
import { localApiServer } from "../../api-server";
import type { ApproverCredentials } from "../../keys/credentials";
import { kubeconfig } from "../../kubeconfig";
import { controllerLabel, poolLabel } from "../../labels";
import { contentHash, fieldManager, type Manifest, priorities } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { componentUsers } from "../../users";
import { frugal, immutableConfigMap, role } from "../agent-workloads";
import { keysOf } from "../control-plane/secrets";
import { confined, credentialsPath, lastWords, type PodSpec } from "../pod";
import { nodeGroupPrefix, poolGroupPrefix } from "../rbac";
import { nodeAuthorities } from "./node-authorities";

export const nodeApproverName = "node-approver" as const;

/** User in its certificate. */
export const nodeApproverUser = "tradewind:node-approver";

const name = nodeApproverName;
const namespace = "kube-system";
const rbac = "rbac.authorization.k8s.io";
const certificates = "certificates.k8s.io";
const programPath = `/opt/tradewind/${name}`;
const poolsConfig = "node-pools";
const controllersConfig = "admitted-controllers";

export interface NodeApproverOptions {
    /** Source text of the agent. */
    readonly agent: string;
    /** Whether it queries EC2, possibly through a proxy trusted by its node. @default false */
    readonly asksEc2?: boolean;
}

/**
 * The agent that admits machines as nodes, and restores the role of controllers that register again.
 *
 * One runs on each controller with its own certificate, and is checkpointed: what brings a cluster back must not depend
 * on it.
 */
export function nodeApprover(
    cluster: Cluster,
    secrets: ApproverCredentials,
    { agent, asksEc2 = false }: NodeApproverOptions,
): Manifest[] {
    const plan = `${JSON.stringify(nodeApproverPlan(), null, 2)}\n`;
    const program = immutableConfigMap(name, { [`${name}.js`]: agent, "plan.json": plan });
    return [...permissions(), program, secret(cluster, secrets), daemonSet(cluster, secrets, program, asksEc2)];
}

export function nodeApproverPlan(): NodeApproverPlan {
    return {
        apiServer: localApiServer,
        groupPrefix: poolGroupPrefix,
        nodeGroupPrefix,
        poolLabel,
        controllerPool: "controller",
        controllerLabel,
        pools: poolsConfig,
        controllers: controllersConfig,
        fieldManager,
    };
}

/** The allowed nodes. The agent reads it for each request. */
export function nodePoolsConfig(pools: NodePools): Manifest {
    return config(poolsConfig, "pools.json", pools);
}

/** Pools whose nodes are named by the stack. @param without - pools whose machines are named by their cloud */
export function namedPools(cluster: Cluster, without: readonly string[] = []): NodePools {
    const pools = Object.entries(nodesByPool(cluster)).filter(([pool]) => !without.includes(pool));
    return { pools: Object.fromEntries(pools.map(([pool, nodes]) => [pool, { nodes }])) };
}

/** Controllers whose etcd members have joined. */
export function admittedControllers(names: AdmittedControllers): Manifest {
    return config(controllersConfig, "controllers.json", names);
}

function config(of: string, file: string, value: unknown): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: of, namespace },
        data: { [file]: `${JSON.stringify(value, null, 2)}\n` },
    };
}

function permissions(): Manifest[] {
    const metadata = { name: `tradewind:${name}` };
    const subject = { apiGroup: rbac, kind: "User", name: nodeApproverUser };
    const kubelets = ["kubernetes.io/kube-apiserver-client-kubelet"];
    const lease = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
    return [
        {
            apiVersion: `${rbac}/v1`,
            kind: "ClusterRole",
            metadata,
            rules: [
                { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "patch"] },
                { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list"] },
                { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
                { apiGroups: [certificates], resources: ["signers"], resourceNames: kubelets, verbs: ["approve"] },
            ],
        },
        {
            apiVersion: `${rbac}/v1`,
            kind: "ClusterRoleBinding",
            metadata,
            roleRef: { apiGroup: rbac, kind: "ClusterRole", name: metadata.name },
            subjects: [subject],
        },
        ...role(name, namespace, subject, [
            {
                apiGroups: [""],
                resources: ["configmaps"],
                resourceNames: [poolsConfig, controllersConfig],
                verbs: ["get"],
            },
            { ...lease, resourceNames: [admissionsLease], verbs: ["get", "patch"] },
            { ...lease, verbs: ["create"] },
        ]),
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

function secret(cluster: Cluster, secrets: ApproverCredentials): Manifest {
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace },
        type: "Opaque",
        data: { kubeconfig: Buffer.from(access(cluster, secrets)).toString("base64") },
    };
}

function daemonSet(cluster: Cluster, secrets: ApproverCredentials, program: Manifest, asksEc2: boolean): Manifest {
    const labels = { "k8s-app": name };
    const annotations = {
        // Another certificate replaces the pods.
        "tradewind.dev/credentials": contentHash(access(cluster, secrets)),
        ...keysOf(cluster, "kube-scheduler"),
        [checkpointAnnotation]: "true",
    };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace, labels },
        spec: {
            selector: { matchLabels: labels },
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
            template: { metadata: { labels, annotations }, spec: podSpec(cluster, program, asksEc2) },
        },
    };
}

function podSpec({ images }: Cluster, program: Manifest, asksEc2: boolean): PodSpec {
    return {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        nodeSelector: { [controllerLabel]: "" },
        tolerations: [{ operator: "Exists" }],
        terminationGracePeriodSeconds: 5,
        securityContext: {
            runAsNonRoot: true,
            runAsUser: componentUsers[name],
            runAsGroup: componentUsers[name],
            fsGroup: componentUsers[name],
            seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: [
                    "node",
                    "--max-semi-space-size=1",
                    ...frugal.options,
                    `${programPath}/${name}.js`,
                    `${programPath}/plan.json`,
                    // Like kube-scheduler's: the checkpointer recognizes pods that need the API by it.
                    `--kubeconfig=${credentialsPath}/kubeconfig`,
                ],
                ...(asksEc2 && { env: [nodeAuthorities.env] }),
                resources: { requests: { cpu: frugal.cpu, memory: "48Mi" } },
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "credentials", mountPath: credentialsPath, readOnly: true },
                    ...(asksEc2 ? [nodeAuthorities.mount] : []),
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program.metadata.name } },
            { name: "credentials", secret: { secretName: name, defaultMode: 0o400 } },
            ...(asksEc2 ? [nodeAuthorities.volume] : []),
        ],
    };
}
