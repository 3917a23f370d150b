import { type DemotionPlan, demotionName } from "../../../agents/nodes/demotion/plan";
import { memberLabel } from "../../../agents/nodes/promoter/plan";
import { keptFiles } from "../../machines/kept-files";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentConfigMap, agentContainer, fromProgram, idleContainer } from "../agent-workloads";
import { daemonSet } from "../objects";
import { asRoot, everywhere, fromHost, onHost, type PodSpec } from "../pod";

const name = demotionName;

/**
 * Cleans up machines that were controllers, as an init container: a pod is Ready when its machine has no etcd member, no
 * keys of one and no checkpoints any more. node-promoter then removes the label that places it.
 */
export function nodeDemotion(cluster: Cluster, agent: string): Manifest[] {
    const program = agentConfigMap(name, agent, demotionPlan());
    // Machines are cleaned up independently of each other, and a lost one must not delay a rollout.
    const rollingUpdate = { maxSurge: 0, maxUnavailable: "100%" };
    return [program, daemonSet(name, podSpec(cluster, program.metadata.name), { rollingUpdate })];
}

export function demotionPlan(): DemotionPlan {
    return {
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        directories: {
            pki: paths.etcdPki,
            staticPods: paths.staticPods,
            data: paths.etcdMemberData,
            checkpoints: paths.checkpoints,
            kept: keptFiles,
        },
    };
}

function podSpec(cluster: Cluster, program: string): PodSpec {
    const mounted = [
        fromProgram(name, program),
        fromHost("pki", paths.etcdPki, {}, "DirectoryOrCreate"),
        fromHost("static-pods", paths.staticPods),
        fromHost("data", paths.etcdData, {}, "DirectoryOrCreate"),
        fromHost("checkpoints", paths.checkpoints, {}, "DirectoryOrCreate"),
        fromHost("kept", keptFiles, {}, "DirectoryOrCreate"),
    ];
    return {
        ...onHost("node"),
        nodeSelector: { [memberLabel]: "leaving" },
        tolerations: everywhere,
        // Root without capabilities: it removes root's files.
        securityContext: asRoot,
        initContainers: [agentContainer(cluster, name, { mounted })],
        containers: [idleContainer(cluster, "cleaned")],
        volumes: mounted.map(({ volume }) => volume),
    };
}
