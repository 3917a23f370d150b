import type { PodFacts } from "../facts";
import type { MachineReport } from "./machine-report";
import { componentOf, originOf } from "./pods";

/** What runs on the machines of the control plane, for want of the API: that a container runs, not that it is ready. */
export function machinePods(reports: ReadonlyMap<string, MachineReport>): PodFacts[] {
    return [...reports].flatMap(([node, { running = [], staticPods }]) =>
        running
            .filter(({ namespace, name }) => namespace === "kube-system" && componentOf(name) !== undefined)
            .map(({ pod, name }) => ({
                name: pod,
                node,
                component: componentOf(name),
                origin: originOfPod(pod, node, staticPods),
                state: "running" as const,
                isEnding: false,
            })),
    );
}

function originOfPod(pod: string, node: string, staticPods: MachineReport["staticPods"]) {
    const annotations = pod.endsWith(`-${node}`) ? staticPods.get(pod.slice(0, -node.length - 1)) : undefined;
    return annotations === undefined
        ? "api"
        : originOf({ annotations: { ...annotations, "kubernetes.io/config.mirror": "" } });
}
