import type { Run } from "../../../local/record";
import type { Requests } from "../../../local/requests";

const start = Date.UTC(2026, 10, 22, 9);

/** A time in the sample run. Unit: seconds. */
export const at = (seconds: number) => new Date(start + Math.round(1000 * seconds)).toISOString();

/** The boot of a cluster `c` with one controller and one worker. */
export function boot(change: Partial<Run> = {}): Run {
    return {
        stages: [
            { stage: "preflight", at: at(0), seconds: 0.1 },
            { stage: "pulumi up", at: at(0.1), seconds: 40 },
            { stage: "ready", at: at(40.1), seconds: 10 },
        ],
        parts: {
            "pulumi up": [
                { stage: "c-controller-0", at: at(2), seconds: 3 },
                { stage: "bootstrap: wait-for-api", at: at(8), seconds: 6 },
                { stage: "bootstrap: find-state", at: at(7.9), seconds: 0.1 },
                { stage: "c-bootstrap", at: at(6), seconds: 20 },
            ],
        },
        operations: [
            { name: "c-etcd-ca", kind: "PrivateKey", verb: "created", at: at(1), seconds: 0.1 },
            { name: "c-controller-0", kind: "Command", verb: "created", at: at(2), seconds: 3 },
            { name: "c-default-0", kind: "Command", verb: "created", at: at(2), seconds: 3.5 },
            { name: "c-bootstrap", kind: "Command", verb: "created", at: at(6), seconds: 20 },
            { name: "c/daemonset/kube-system/kube-proxy", kind: "DaemonSet", verb: "created", at: at(27), seconds: 5 },
            {
                name: "c/deployment/kube-system/etcd-join-c-controller-0",
                kind: "Deployment",
                verb: "created",
                at: at(28),
                seconds: 2,
            },
        ],
        nodes: [{ name: "c-default-0", joined: at(20), ready: at(31) }],
        ...change,
    };
}

export function requests(change: Partial<Requests> = {}): Requests {
    const well = { requests: 900, failures: [], longestGap: 40 };
    const failures = [at(10), at(10.2), at(30)].map((moment) => ({ at: moment, what: "HTTP 503" }));
    return { from: at(5), to: at(45), clients: { new: well, watch: { ...well, failures } }, ...change };
}
