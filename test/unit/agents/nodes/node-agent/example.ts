import type { CniPluginsObservation } from "../../../../../agents/nodes/node-agent/cni-plugins/decide";
import type {
    ContainerRuntimeObservation,
    RuntimeNodeObservation,
} from "../../../../../agents/nodes/node-agent/container-runtime/decide";
import type { Runtime } from "../../../../../agents/nodes/node-agent/container-runtime/runtime";
import type { NodeObservation, Observed } from "../../../../../agents/nodes/node-agent/kubelet/decide";
import type { Kubelet, Source } from "../../../../../agents/nodes/node-agent/plan";

const kubelet = (version: string, digit: string): Kubelet => ({
    version,
    sha256: digit.repeat(64),
    urls: [`http://mirror.test/${version}/kubelet`],
    settings: "a",
});

export const older = kubelet("1.35.4", "1");
export const newer = kubelet("1.36.3", "2");

export function node(more: Partial<NodeObservation> = {}): NodeObservation {
    return { version: older.version, isReady: true, isCordoned: false, isOurs: false, isLeaving: false, ...more };
}

/** A node that is Ready at the older version, with everything for the newer one. */
export function observed(more: Partial<Observed> = {}): Observed {
    return {
        node: node(),
        desired: newer,
        selected: older,
        running: older,
        isHere: true,
        apiVersion: "1.36.3",
        left: [],
        isHealthy: true,
        issuance: "desired",
        pod: "pod",
        ...more,
    };
}

const plugins = (digit: string): Source => ({ sha256: digit.repeat(64), urls: [`http://mirror.test/${digit}.tgz`] });

export const olderPlugins = plugins("1");
export const newerPlugins = plugins("2");

/** A node with older CNI plugins, with everything for the newer ones. */
export function observedPlugins(more: Partial<CniPluginsObservation> = {}): CniPluginsObservation {
    return {
        node: { isCordoned: false, isLeaving: false },
        desired: newerPlugins,
        installed: olderPlugins,
        isHere: true,
        isKubeletChanging: false,
        pod: "pod",
        ...more,
    };
}

const runtime = (digit: string, containerd: string): Runtime => ({
    id: `${digit.repeat(12)}-${"0".repeat(12)}`,
    containerd,
    runc: "1.4.3",
});

export const olderRuntime = runtime("1", "2.3.7");
export const newerRuntime = runtime("2", "2.4.2");

export function runtimeNode(more: Partial<RuntimeNodeObservation> = {}): RuntimeNodeObservation {
    return { isReady: true, isCordoned: false, isLeaving: false, runtimeVersion: "containerd://2.3.7", ...more };
}

/** A Ready node with an older container runtime, with everything for the newer one. */
export function observedRuntime(more: Partial<ContainerRuntimeObservation> = {}): ContainerRuntimeObservation {
    return {
        node: runtimeNode(),
        desired: { id: newerRuntime.id },
        host: { current: olderRuntime.id, running: olderRuntime.id },
        isHere: true,
        reported: { from: olderRuntime, to: newerRuntime },
        left: [],
        isHealthy: true,
        unready: [],
        isOtherChanging: false,
        pod: "pod",
        ...more,
    };
}
