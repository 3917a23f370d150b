import { type CheckpointerPlan, checkpointAnnotation, checkpointerParent } from "../../../agents/checkpointer/plan";
import { clusterApiServer, localApiServer } from "../../api-server";
import { hasFirstAuthority } from "../../keys/authorities";
import { controllerLabel } from "../../labels";
import { contentHash, type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { nodeApproverName } from "../nodes/node-approver";
import { confined, lastWords, type PodSpec } from "../pod";
import { credentialHolders } from "./secrets";

const name = "checkpointer";
const namespace = "kube-system";
const programPath = "/opt/tradewind/checkpointer";

/**
 * DaemonSets on controllers that are checkpointed, each with the annotation that requests it; nothing else is. To add
 * one, add its name here. The checkpointer is ready without a checkpoint of it.
 */
export const checkpointedSets: readonly string[] = [...credentialHolders, nodeApproverName];

/** Keeps a controller's control plane running without an API: docs/checkpointer.md. */
export function checkpointer(cluster: Cluster, program: string): Manifest[] {
    const files = {
        "checkpointer.js": program,
        "plan.json": `${JSON.stringify(checkpointerPlan(cluster), null, 2)}\n`,
    };
    const config = `${name}-${contentHash(files)}`;
    return [
        {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: config, namespace },
            immutable: true,
            data: files,
        },
        daemonSet(cluster, config),
    ];
}

/**
 * Plan of the agent. It uses its node's kubelet credentials, which may read and annotate that node and its pods, so it
 * needs no Role.
 */
export function checkpointerPlan(cluster: Cluster): CheckpointerPlan {
    return {
        apiServers: [localApiServer, clusterApiServer(cluster)],
        self: checkpointerParent,
        parents: [...checkpointedSets.map((set) => `${namespace}/${set}`), checkpointerParent],
        expects: credentialHolders.map((holder) => `${namespace}/${holder}`),
        controllerLabel,
        runtimeSocket: paths.runtimeSocket,
        credentials: {
            ca: paths.ca,
            ...(!hasFirstAuthority(cluster.keys) && { authorities: paths.kubeletAuthorities }),
            client: paths.kubeletClient,
        },
        directories: {
            checkpoints: paths.checkpoints,
            staticPods: paths.staticPods,
            state: paths.checkpointerState,
            kubeletPods: paths.kubeletPods,
        },
        healthPort: ports.checkpointerHealthz,
    };
}

function daemonSet(cluster: Cluster, config: string): Manifest {
    const labels = { "k8s-app": name };
    const annotations = { [checkpointAnnotation]: "true" };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace, labels },
        spec: {
            selector: { matchLabels: labels },
            // Its checkpoint runs in between.
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
            template: { metadata: { labels, annotations }, spec: podSpec(cluster, config) },
        },
    };
}

function podSpec({ images }: Cluster, config: string): PodSpec {
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port: ports.checkpointerHealthz, path } });
    const directory = (key: string, path: string, type = "Directory") => ({ name: key, hostPath: { path, type } });
    return {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        nodeSelector: { [controllerLabel]: "" },
        tolerations: [{ operator: "Exists" }],
        terminationGracePeriodSeconds: 5,
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: [
                    "node",
                    // It runs on every controller and needs few resources.
                    "--max-semi-space-size=1",
                    "--max-old-space-size=64",
                    `${programPath}/checkpointer.js`,
                    `${programPath}/plan.json`,
                ],
                env: [
                    { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
                    { name: "POD_UID", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } },
                ],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                // Copies of keys are owned by the users of their pods.
                securityContext: { ...confined, capabilities: { drop: ["ALL"], add: ["CHOWN"] } },
                readinessProbe: { ...probe("/readyz"), periodSeconds: 1 },
                livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 6 },
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "kubernetes", mountPath: paths.kubernetes },
                    { name: "state", mountPath: paths.checkpointerState },
                    { name: "kubelet-pki", mountPath: paths.kubeletPki, readOnly: true },
                    // Secrets of future pods, and a restarted runtime, must be visible here.
                    { ...later("kubelet-pods", paths.kubeletPods) },
                    { ...later("runtime", paths.runtime) },
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: config } },
            directory("kubernetes", paths.kubernetes),
            directory("state", paths.checkpointerState, "DirectoryOrCreate"),
            directory("kubelet-pki", paths.kubeletPki),
            directory("kubelet-pods", paths.kubeletPods),
            directory("runtime", paths.runtime),
        ],
    };
}

function later(volume: string, mountPath: string) {
    return { name: volume, mountPath, readOnly: true, mountPropagation: "HostToContainer" };
}
