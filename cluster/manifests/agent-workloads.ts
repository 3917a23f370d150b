import { controllerLabel } from "../labels";
import { type Manifest, priorities } from "../manifest";
import type { Cluster } from "../model";
import { immutableConfigMap, json } from "./objects";
import {
    asRoot,
    asUser,
    beforeCloudController,
    beforeCni,
    type Container,
    confined,
    type EnvVar,
    everywhere,
    fieldEnv,
    fromConfigMap,
    lastWords,
    type Mounted,
    nodeCas,
    onHost,
    type PodSpec,
    underPressure,
    unprivilegedId,
} from "./pod";

const namespace = "kube-system";

/** Path of an agent's program, `<name>.js`, in its container. */
export function programPath(name: string): string {
    return `/opt/tradewind/${name}`;
}

/** An agent's program and its plan. */
export function agentFiles(name: string, program: string, plan: unknown): Record<string, string> {
    return { [`${name}.js`]: program, "plan.json": json(plan) };
}

/** The same, in a ConfigMap named by its content. */
export function agentConfigMap(name: string, program: string, plan: unknown): Manifest {
    return immutableConfigMap(name, agentFiles(name, program, plan));
}

interface AgentContainer {
    /** Options of Node.js. @default none */
    readonly options?: readonly string[];
    /** Arguments of the program. @default - its plan, next to it */
    readonly args?: readonly string[];
    readonly env?: readonly EnvVar[];
    /** CPU request. @default "20m" */
    readonly cpu?: string;
    /** Memory request. @default "64Mi" */
    readonly memory?: string;
    /** @default confined */
    readonly securityContext?: Container["securityContext"];
    readonly probes?: Pick<Container, "readinessProbe" | "livenessProbe">;
    /** Includes the program, mounted at `programPath(name)`. */
    readonly mounted: readonly Mounted[];
}

/** Container of an agent. */
export function agentContainer({ images }: Pick<Cluster, "images">, name: string, agent: AgentContainer): Container {
    const { options = [], args = [`${programPath(name)}/plan.json`], env = [], cpu = "20m", memory = "64Mi" } = agent;
    const { securityContext = confined, probes, mounted } = agent;
    return {
        name,
        image: images.node,
        ...lastWords,
        command: ["node", ...options, `${programPath(name)}/${name}.js`, ...args],
        ...(env.length > 0 && { env: [...env] }),
        resources: { requests: { cpu, memory } },
        securityContext,
        ...probes,
        volumeMounts: mounted.map(({ mount }) => mount),
    };
}

/** Keeps a pod whose agent is an init container, so that the pod is Ready once the agent is done. */
export function idleContainer({ images }: Pick<Cluster, "images">, name: string): Container {
    return {
        name,
        image: images.pause,
        ...lastWords,
        resources: { requests: { cpu: "1m", memory: "1Mi" } },
        securityContext: { ...confined, runAsUser: unprivilegedId, runAsGroup: unprivilegedId },
    };
}

/** Pod of an agent. @param placement - where it runs, and as which user */
export function agentPod(
    cluster: Pick<Cluster, "images">,
    name: string,
    placement: Omit<PodSpec, "containers">,
    agent: AgentContainer,
): PodSpec {
    return {
        ...placement,
        containers: [agentContainer(cluster, name, agent)],
        volumes: agent.mounted.map(({ volume }) => volume),
    };
}

/** Program of an agent, and its plan. */
export function fromProgram(name: string, configMap: string): Mounted {
    return fromConfigMap("program", configMap, programPath(name));
}

/** For agents that use their node's kubelet credentials: they act on their own node and its pods. */
export const ownNodeEnv = [fieldEnv("NODE_NAME", "spec.nodeName"), fieldEnv("POD_UID", "metadata.uid")];

/** Of an agent that serves its health on the loopback interface. */
export function healthProbes(port: number): Pick<Container, "readinessProbe" | "livenessProbe"> {
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port, path } });
    return {
        readinessProbe: { ...probe("/readyz"), periodSeconds: 1 },
        livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 6 },
    };
}

/**
 * Runs the agent on any controller, and soon on another one if its own is lost, because something may be waiting for
 * it.
 */
export function onAnyController(
    cluster: Pick<Cluster, "cloudProvider" | "network">,
    serviceAccountName: string,
): Omit<PodSpec, "containers"> {
    const waiting = beforeCni(cluster);
    return {
        nodeSelector: { [controllerLabel]: "" },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        serviceAccountName,
        enableServiceLinks: false,
        tolerations: [
            { key: controllerLabel, operator: "Exists", effect: "NoSchedule" },
            ...underPressure,
            ...beforeCloudController(cluster),
            ...waiting,
            ...[...(waiting.length > 0 ? [] : ["not-ready"]), "unreachable"].map((state) => ({
                key: `node.kubernetes.io/${state}`,
                operator: "Exists",
                effect: "NoExecute",
                tolerationSeconds: 60,
            })),
        ],
    };
}

/**
 * Term of a node affinity: the stack's own controllers, whose instances have a role in the cloud. Candidates do not have
 * it, even while they are controllers. @returns undefined without candidates
 */
export function ownControllers({ controllers: { names, candidates } }: Pick<Cluster, "controllers">) {
    if (candidates.length === 0) return undefined;
    return { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [...names] }] };
}

/** Keeps Deployments that need that role where it is. */
export function onOwnControllers(cluster: Pick<Cluster, "controllers">, manifests: readonly Manifest[]): Manifest[] {
    const term = ownControllers(cluster);
    if (term === undefined) return [...manifests];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    return manifests.map((manifest) => {
        if (manifest.kind !== "Deployment") return manifest;
        const { template, ...others } = manifest.spec as { template: { metadata: object; spec: PodSpec } };
        const affinity = { ...(template.spec.affinity as object | undefined), nodeAffinity };
        return { ...manifest, spec: { ...others, template: { ...template, spec: { ...template.spec, affinity } } } };
    });
}

/** What differs between agent pods. */
interface AccountAgent {
    /** ConfigMap with its program, `<name>.js`, and its `plan.json`. */
    readonly program: string;
    /** Options of Node.js. @default none */
    readonly options?: readonly string[];
    /** CPU request. */
    readonly cpu: string;
    /** @default none */
    readonly env?: readonly EnvVar[];
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
    { program, options = [], cpu, env = [], configMaps = [], trustsAsNode = false }: AccountAgent,
): PodSpec {
    const placement = { ...onAnyController(cluster, name), securityContext: asUser(unprivilegedId) };
    return agentPod(cluster, name, placement, {
        options,
        cpu,
        env: [...env, ...(trustsAsNode ? [nodeCas.env] : [])],
        mounted: [
            fromProgram(name, program),
            ...configMaps.map((each) => fromConfigMap(each.name, each.configMap, each.mountPath)),
            ...(trustsAsNode ? [nodeCas] : []),
        ],
    });
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
            namespace,
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
        ...onHost("node"),
        tolerations: everywhere,
        securityContext: asRoot,
    };
}
