import type { NodeSight, Sight } from "../../../../agents/node-agent/decide";
import type { Kubelet } from "../../../../agents/node-agent/plan";

const kubelet = (version: string, digit: string): Kubelet => ({
    version,
    sha256: digit.repeat(64),
    urls: [`http://mirror.test/${version}/kubelet`],
    settings: "a",
});

export const older = kubelet("1.35.4", "1");
export const newer = kubelet("1.36.3", "2");

export function node(more: Partial<NodeSight> = {}): NodeSight {
    return { version: older.version, isReady: true, isCordoned: false, isOurs: false, isLeaving: false, ...more };
}

/** A node that is Ready at the older version, with all that it needs for the newer one. */
export function sight(more: Partial<Sight> = {}): Sight {
    return {
        node: node(),
        wanted: newer,
        selected: older,
        running: older,
        isHere: true,
        apiVersion: "1.36.3",
        left: [],
        isHealthy: true,
        issuance: "wanted",
        pod: "pod",
        ...more,
    };
}
