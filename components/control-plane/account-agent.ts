import type { Cluster } from "../cluster/model";
import { nobody } from "../cluster/users";
import { nodeAuthorities } from "./node-authorities";
import { confined, lastWords, type PodSpec } from "./pod";
import { onAnyController } from "./single-agent";

/** What of an agent's pod is its own. */
export interface AccountAgent {
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
