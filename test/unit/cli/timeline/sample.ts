import fc from "fast-check";
import type { Run } from "../../../../local/record";
import type { Requests } from "../../../../local/requests";

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

const seconds = fc.double({ min: 0, max: 4000, noNaN: true });
const name = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom("c-controller-0", "c-controller-10", "c-blue-3", "c-bootstrap", "c/x/kube-system/y-c-blue-3"),
);
const moment = fc.double({ min: -20, max: 5000, noNaN: true }).map(at);
const timing = fc.record({ stage: name, at: moment, seconds });

/** Any run, with operations in any order. */
export const runs: fc.Arbitrary<Run> = fc.record({
    stages: fc.array(timing, { minLength: 1, maxLength: 8 }),
    parts: fc.dictionary(
        name,
        fc.array(
            fc.oneof(
                timing,
                timing.map((each) => ({ ...each, stage: `bootstrap: ${each.stage}` })),
            ),
        ),
    ),
    operations: fc.array(
        fc.record({
            name,
            kind: fc.constantFrom("Command", "DaemonSet", "Secret"),
            verb: fc.constantFrom("created", "updated", "deleted original"),
            at: moment,
            seconds,
        }),
        { maxLength: 60 },
    ),
    nodes: fc.array(fc.record({ name, joined: moment, ready: moment }), { maxLength: 8 }),
    steps: fc.array(fc.record({ name, step: name, at: moment, seconds }), { maxLength: 8 }),
});

export const anyRequests: fc.Arbitrary<Requests> = fc.record({
    from: moment,
    to: moment,
    clients: fc.dictionary(
        name,
        fc.record({
            requests: fc.nat(),
            failures: fc.array(fc.record({ at: moment, what: fc.string() })),
            longestGap: fc.nat(),
        }),
        { maxKeys: 5 },
    ),
});
