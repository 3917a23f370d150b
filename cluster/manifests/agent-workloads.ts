import { controllerLabel } from "../labels";
import { contentHash, type Manifest, priorities } from "../manifest";
import type { Cluster } from "../model";
import { nobody } from "../users";
import { nodeAuthorities } from "./nodes/node-authorities";
import { beforeCloudController, confined, lastWords, type PodSpec } from "./pod";

const namespace = "kube-system";
const rbac = "rbac.authorization.k8s.io";

/** A ConfigMap that is named by its content, so that a change of it rolls the pods. */
export function immutableConfigMap(prefix: string, data: Record<string, string>): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${prefix}-${contentHash(data)}`, namespace },
        immutable: true,
        data,
    };
}

/** An agent that runs once in the cluster, on any of its controllers: two at once would do their work without each other. */
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

/** Where such an agent runs: on another controller soon when its own is lost, since somebody may be waiting for it. */
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

/** What somebody may do in one namespace. */
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

/** What of an agent's pod is its own. */
interface AccountAgent {
    /** ConfigMap with its program, `<name>.js`, and its `plan.json`. */
    readonly program: string;
    /** Of Node.js. @default none */
    readonly options?: readonly string[];
    /** CPU that it asks for. */
    readonly cpu: string;
    /** Other ConfigMaps, each with its place. @default none */
    readonly configMaps?: readonly { readonly name: string; readonly configMap: string; readonly mountPath: string }[];
    /**
     * It trusts whom its node trusts, beside those whom Node.js does: it asks others than the cluster, perhaps through a proxy
     * with an authority of its own. @default false
     */
    readonly trustsAsNode?: boolean;
}

/** Of one that lives as long as the cluster, and needs little. */
export const frugal = { options: ["--max-old-space-size=64"], cpu: "10m" } as const;

/** The pod of an agent that asks the API by its service account: it is nobody, and has no key of its node. */
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
            runAsUser: nobody,
            runAsGroup: nobody,
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
    /** How long the stack waits for its end. */
    readonly timeoutSeconds: number;
    /** Of its pod. @default none */
    readonly annotations?: Readonly<Record<string, string>>;
}

/** An agent that works until it is done, which the stack waits for. */
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
            // It goes on for as long as it takes: whoever mends what is in its way need not start it again.
            backoffLimit: 2 ** 31 - 1,
            template: { metadata: { labels: { "k8s-app": agent }, ...(annotations && { annotations }) }, spec },
        },
    };
}

/** Where an agent of an etcd member runs, and as whom: on its machine, as root, whose are the files that it writes. */
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
