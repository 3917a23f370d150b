import { controllerLabel } from "../labels";
import { contentHash, type Manifest, priorities } from "../manifest";
import type { Cluster } from "../model";
import { unprivilegedId } from "../users";
import { nodeAuthorities } from "./nodes/node-authorities";
import { beforeCloudController, confined, lastWords, type PodSpec } from "./pod";

const namespace = "kube-system";
const rbac = "rbac.authorization.k8s.io";

/** A ConfigMap named by its content, so that a change replaces the pods. */
export function immutableConfigMap(prefix: string, data: Record<string, string>): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${prefix}-${contentHash(data)}`, namespace },
        immutable: true,
        data,
    };
}

/** An agent with a single pod in the cluster, on any controller: two at once would conflict. */
export function singleAgent(name: string, spec: PodSpec): Manifest {
    const labels = { "k8s-app": name };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace, labels },
        spec: {
            replicas: 1,
            strategy: { type: "Recreate" },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec },
        },
    };
}

/**
 * Runs the agent on any controller, and soon on another one if its own is lost, because something may be waiting for
 * it.
 */
export function onAnyController(
    cluster: Pick<Cluster, "cloudProvider">,
    serviceAccountName: string,
): Omit<PodSpec, "containers"> {
    return {
        nodeSelector: { [controllerLabel]: "" },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        serviceAccountName,
        enableServiceLinks: false,
        tolerations: [
            { key: controllerLabel, operator: "Exists", effect: "NoSchedule" },
            ...beforeCloudController(cluster),
            ...["not-ready", "unreachable"].map((state) => ({
                key: `node.kubernetes.io/${state}`,
                operator: "Exists",
                effect: "NoExecute",
                tolerationSeconds: 60,
            })),
        ],
    };
}

/** Permissions of a subject in one namespace. */
export function role(of: string, inNamespace: string, subject: object, rules: readonly object[]): Manifest[] {
    const metadata = { name: `tradewind:${of}`, namespace: inNamespace };
    return [
        { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules },
        {
            apiVersion: `${rbac}/v1`,
            kind: "RoleBinding",
            metadata,
            roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
            subjects: [subject],
        },
    ];
}

/** What differs between agent pods. */
interface AccountAgent {
    /** ConfigMap with its program, `<name>.js`, and its `plan.json`. */
    readonly program: string;
    /** Options of Node.js. @default none */
    readonly options?: readonly string[];
    /** CPU request. */
    readonly cpu: string;
    /** Other ConfigMaps, with their mount paths. @default none */
    readonly configMaps?: readonly { readonly name: string; readonly configMap: string; readonly mountPath: string }[];
    /**
     * Whether it trusts the CAs of its node in addition to those of Node.js: it connects to servers outside the
     * cluster, possibly through a proxy with its own CA.
     * @default false
     */
    readonly trustsAsNode?: boolean;
}

/** For a long-running agent that needs few resources. */
export const frugal = { options: ["--max-old-space-size=64"], cpu: "10m" } as const;

/**
 * Pod of an agent that uses the API with its service account: it runs as `nobody` and has no access to its node's keys.
 */
export function accountAgentPod(
    cluster: Cluster,
    name: string,
    { program, options = [], cpu, configMaps = [], trustsAsNode = false }: AccountAgent,
): PodSpec {
    const programPath = `/opt/tradewind/${name}`;
    return {
        ...onAnyController(cluster, name),
        securityContext: {
            runAsNonRoot: true,
            runAsUser: unprivilegedId,
            runAsGroup: unprivilegedId,
            seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
            {
                name,
                image: cluster.images.node,
                ...lastWords,
                command: ["node", ...options, `${programPath}/${name}.js`, `${programPath}/plan.json`],
                ...(trustsAsNode && { env: [nodeAuthorities.env] }),
                resources: { requests: { cpu, memory: "64Mi" } },
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    ...configMaps.map(({ name: volume, mountPath }) => ({ name: volume, mountPath, readOnly: true })),
                    ...(trustsAsNode ? [nodeAuthorities.mount] : []),
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            ...configMaps.map(({ name: volume, configMap }) => ({ name: volume, configMap: { name: configMap } })),
            ...(trustsAsNode ? [nodeAuthorities.volume] : []),
        ],
    };
}

interface AgentJobOptions {
    readonly name: string;
    /** Name of the agent. */
    readonly agent: string;
    /** How long the stack waits for it to finish. */
    readonly timeoutSeconds: number;
    /** Annotations of its pod. @default none */
    readonly annotations?: Readonly<Record<string, string>>;
}

/** An agent that runs until it is done, while the stack waits. */
export function agentJob({ name, agent, timeoutSeconds, annotations }: AgentJobOptions, spec: PodSpec): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
            name,
            namespace: "kube-system",
            annotations: { "pulumi.com/timeoutSeconds": String(timeoutSeconds) },
        },
        spec: {
            // It retries for as long as it takes, so that it need not be restarted once its problem is fixed.
            backoffLimit: 2 ** 31 - 1,
            template: { metadata: { labels: { "k8s-app": agent }, ...(annotations && { annotations }) }, spec },
        },
    };
}

/** Where agents of an etcd member run: on its machine as root, because root owns the files that they write. */
export function onMemberNode(node: string): Omit<PodSpec, "containers"> {
    return {
        nodeSelector: { "kubernetes.io/hostname": node },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: [{ operator: "Exists" }],
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } },
    };
}
