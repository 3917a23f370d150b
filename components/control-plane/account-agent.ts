import type { Cluster } from "../cluster/model";
import { confined, lastWords, nobody, type PodSpec } from "./pod";
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

/** Authorities of a node, as Flatcar and Debian have them. Node.js goes without where there is no such file. */
const authorities = { folder: "/etc/ssl/certs", file: "/etc/ssl/certs/ca-certificates.crt" };

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
                ...(trustsAsNode && { env: [{ name: "NODE_EXTRA_CA_CERTS", value: authorities.file }] }),
                resources: { requests: { cpu, memory: "64Mi" } },
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    ...configMaps.map(({ name: volume, mountPath }) => ({ name: volume, mountPath, readOnly: true })),
                    ...(trustsAsNode ? [{ name: "authorities", mountPath: authorities.folder, readOnly: true }] : []),
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            ...configMaps.map(({ name: volume, configMap }) => ({ name: volume, configMap: { name: configMap } })),
            ...(trustsAsNode
                ? [{ name: "authorities", hostPath: { path: authorities.folder, type: "DirectoryOrCreate" } }]
                : []),
        ],
    };
}
