import { type CheckpointerPlan, checkpointAnnotation, checkpointerParent } from "../../../agents/checkpointer/plan";
import { hasFirstCa } from "../../keys/kubernetes-ca";
import { controllerLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { clusterApiServer, localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentConfigMap, agentPod, fromProgram, healthProbes, ownNodeEnv } from "../agent-workloads";
import { nodeApproverName } from "../nodes/node-approver";
import { daemonSet } from "../objects";
import { asRoot, confined, everywhere, fromHost, onHost, type PodSpec } from "../pod";
import { auditLogPlan } from "./audit-log";
import { allHostDirectories } from "./files";
import { credentialHolders } from "./secrets";

const name = "checkpointer";
const namespace = "kube-system";

/**
 * DaemonSets on controllers that are checkpointed, each with the annotation that requests it; nothing else is. To add
 * one, add its name here. The checkpointer is ready without a checkpoint of it.
 */
export const checkpointedSets: readonly string[] = [...credentialHolders, nodeApproverName];

/** Keeps a controller's control plane running without an API: docs/checkpointer.md. */
export function checkpointer(cluster: Cluster, program: string): Manifest[] {
    const config = agentConfigMap(name, program, checkpointerPlan(cluster));
    // Its checkpoint runs while its pod is replaced.
    const annotations = { [checkpointAnnotation]: "true" };
    return [config, daemonSet(name, podSpec(cluster, config.metadata.name), { annotations })];
}

/**
 * Plan of the agent. It uses its node's kubelet credentials, which may read and annotate that node and its pods, so it
 * needs no Role.
 */
export function checkpointerPlan(cluster: Cluster): CheckpointerPlan {
    const hostDirectories = allHostDirectories(cluster);
    return {
        apiServers: [localApiServer, clusterApiServer(cluster)],
        self: checkpointerParent,
        parents: [...checkpointedSets.map((set) => `${namespace}/${set}`), checkpointerParent],
        expects: credentialHolders.map((holder) => `${namespace}/${holder}`),
        controllerLabel,
        runtimeSocket: paths.runtimeSocket,
        credentials: {
            ca: paths.ca,
            ...(!hasFirstCa(cluster.keys) && { authorities: paths.kubeletAuthorities }),
            client: paths.kubeletClient,
        },
        directories: {
            checkpoints: paths.checkpoints,
            staticPods: paths.staticPods,
            state: paths.checkpointerState,
            kubeletPods: paths.kubeletPods,
        },
        ...(hostDirectories.length > 0 && { hostDirectories }),
        ...(cluster.auditLog && { auditLog: auditLogPlan(cluster) }),
        healthPort: ports.checkpointerHealthz,
    };
}

function podSpec(cluster: Cluster, config: string): PodSpec {
    const placement = {
        ...onHost("control"),
        nodeSelector: { [controllerLabel]: "" },
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        securityContext: asRoot,
    };
    // Secrets of future pods, and a restarted runtime, must be visible here.
    const later = { readOnly: true, mountPropagation: "HostToContainer" };
    return agentPod(cluster, name, placement, {
        // It runs on every controller and needs few resources.
        options: ["--max-semi-space-size=1", "--max-old-space-size=64"],
        env: ownNodeEnv,
        // Copies of keys are owned by the users of their pods, and compared with their SHA-256.
        securityContext: { ...confined, capabilities: { drop: ["ALL"], add: ["CHOWN", "DAC_READ_SEARCH"] } },
        probes: healthProbes(ports.checkpointerHealthz),
        mounted: [
            fromProgram(name, config),
            fromHost("kubernetes", paths.kubernetes),
            fromHost("state", paths.checkpointerState, {}, "DirectoryOrCreate"),
            fromHost("kubelet-pki", paths.kubeletPki, { readOnly: true }),
            fromHost("kubelet-pods", paths.kubeletPods, later),
            fromHost("runtime", paths.runtime, later),
            ...allHostDirectories(cluster).map(({ path }, index) =>
                fromHost(`directory-${index}`, path, {}, "DirectoryOrCreate"),
            ),
        ],
    });
}
