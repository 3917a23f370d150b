import type { types } from "@pulumi/kubernetes";
import { contentHash } from "../cluster/content-hash";
import type { Manifest } from "../cluster/manifest";

export type Volume = types.input.core.v1.Volume;

/** The configuration of a DaemonSet's pods, and the volume `config` by which they mount it. */
export interface NodeConfig {
    readonly configMap: Manifest;
    readonly volume: Volume;
}

/**
 * A ConfigMap that is named by its content. So a change rolls the pods, and a new pod can't start with the old
 * content, as one did whose node's kubelet had not heard of the change of a ConfigMap that it knew.
 */
export function nodeConfig(name: string, data: Record<string, string>): NodeConfig {
    const configMap = `${name}-${contentHash(data)}`;
    return {
        configMap: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: configMap, namespace: "kube-system" },
            data,
        },
        volume: { name: "config", configMap: { name: configMap } },
    };
}
