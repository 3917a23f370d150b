import { podName } from "../../../agents/etcd/member/runner";
import type { EtcdPodPlan } from "../../../agents/etcd/pod/plan";
import { controllerLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { paths } from "../../paths";
import { agentConfigMap } from "../agent-workloads";
import { daemonSet } from "../objects";
import { asRoot, everywhere, onHost, type PodSpec } from "../pod";
import { memberImages, memberSpec, ownStaticPod } from "./member";
import { holdsFile, ownPath, podProgramPath, podScript } from "./scripts";

/**
 * Label `k8s-app` of members' pods: the machine's own static pods have another one, which clients of etcd find them by.
 */
export const etcdPodApp = podName;

/**
 * The etcd member of every controller as an API pod, to which the machine's own static pod yields: docs/levels.md.
 *
 * @param program - source text of the agent that decides when it may start
 */
export function selfHostedEtcd(cluster: Cluster, program: string): Manifest[] {
    const config = agentConfigMap(podName, program, etcdPodPlan(cluster));
    const spec = podSpec(cluster, config.metadata.name);
    // Each member counts towards the majority: the next one stops once this one has run for a moment.
    return [config, daemonSet("etcd", spec, { labels: { "k8s-app": etcdPodApp }, minReadySeconds: 5 })];
}

/** What the pod checks before it takes over a member. */
export function etcdPodPlan(cluster: Cluster): EtcdPodPlan {
    return {
        images: memberImages(cluster),
        staticPod: paths.etcdStaticPod,
        pki: paths.etcdPki,
        data: paths.etcdMemberData,
    };
}

function podSpec(cluster: Cluster, config: string): PodSpec {
    return {
        ...onHost("node"),
        nodeSelector: { [controllerLabel]: "" },
        tolerations: everywhere,
        securityContext: asRoot,
        ...memberSpec(cluster, {
            name: "etcd-member",
            command: ["/bin/sh", "-c", podScript, podName],
            hasShell: true,
            // Others respond on the machine's ports before it does: it counts once it holds the lock. After ten minutes
            // it retries.
            startupProbe: {
                exec: { command: ["/bin/sh", "-c", `[ -e ${holdsFile} ]`] },
                periodSeconds: 1,
                failureThreshold: 600,
            },
            mounts: [
                ...ownStaticPod.mounts,
                { name: "program", mountPath: podProgramPath, readOnly: true },
                { name: "own", mountPath: ownPath },
            ],
            volumes: [
                ...ownStaticPod.volumes,
                { name: "program", configMap: { name: config } },
                { name: "own", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
            ],
        }),
    };
}
