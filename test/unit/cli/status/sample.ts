import {
    type ClusterFacts,
    type ControllerFacts,
    type EtcdMemberFacts,
    type EtcdMemberStatus,
    known,
    type MachineFacts,
    type NodeFacts,
    type PodFacts,
    type Serving,
    unknown,
} from "../../../../cli/status/facts";

export const at = "2026-11-21T06:00:00.000Z";

const ready: Serving = { isReady: true, detail: "ready" };
export const refuses = known<Serving>({ isReady: false, detail: "refuses connections" });

export function controller(name: string, change: Partial<ControllerFacts> = {}): ControllerFacts {
    const address = `10.0.0.1${name.at(-1)}`;
    const answers = { isReady: true, detail: "answers" };
    return { name, address, apiserver: known(ready), version: known("1.36.3"), kubelet: known(answers), ...change };
}

export function node(name: string, change: Partial<NodeFacts> = {}): NodeFacts {
    const isController = name.startsWith("c");
    const address = `10.0.0.${isController ? 1 : 3}${name.at(-1)}`;
    return { name, address, isController, isReady: true, isCordoned: false, kubelet: "1.36.3", ...change };
}

export function pod(component: string, on: string, change: Partial<PodFacts> = {}): PodFacts {
    return {
        name: component === "etcd" ? `etcd-${on}` : `${component}-${on.replace("-", "")}`,
        node: on,
        component,
        origin: component === "etcd" ? "static" : "api",
        state: "ready",
        isEnding: false,
        sinceSeconds: 3600,
        restarts: 0,
        version: component === "etcd" ? "3.6.8" : "1.36.3",
        ...change,
    };
}

export function member(name: string, change: Partial<EtcdMemberStatus> = {}): EtcdMemberFacts {
    const status = {
        version: "3.6.8",
        leader: "a0",
        dbSize: 3 << 20,
        dbSizeInUse: 2 << 20,
        dbQuota: 2 ** 31,
        errors: [],
    };
    return { name, id: `a${name.at(-1)}`, isLearner: false, status: known({ ...status, ...change }) };
}

export function silentMember(name: string): EtcdMemberFacts {
    return { ...member(name), status: unknown("it has no running pod") };
}

/** It did not answer in time, but its kubelet reports it as ready. */
export function slowMember(name: string): EtcdMemberFacts {
    return { ...member(name), status: unknown("no answer within 2 s"), isReady: true };
}

export function machine(name: string, change: Partial<MachineFacts> = {}): MachineFacts {
    const inside = known({ kubelet: "ok", containerd: "active" });
    return { name, address: "10.0.0.10", state: "running", inside, ...change };
}

export const parts = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"];

/** A healthy cluster with this many controllers and a worker. */
export function healthy(change: Partial<ClusterFacts> = {}, count = 1): ClusterFacts {
    const names = [...Array(count).keys()].map((index) => `c-${index}`);
    const end = known("2031-11-21T00:00:00.000Z");
    return {
        cluster: "demo",
        isLocal: false,
        at,
        api: {
            url: "https://10.0.0.3:6443",
            serving: known(ready),
            clockAheadSeconds: 0,
            answeredBy: "the API's own address",
        },
        controllers: names.map((name) => controller(name)),
        nodes: known([...names.map((name) => node(name)), node("w-0")]),
        pods: known([
            ...names.flatMap((name) => parts.map((part) => pod(part, name))),
            ...[...names, "w-0"].map((name) => pod("kube-proxy", name)),
        ]),
        leaders: known([
            { component: "kube-controller-manager", node: "c-0", ageSeconds: 2, leaseSeconds: 15 },
            { component: "kube-scheduler", node: "c-0", ageSeconds: 1, leaseSeconds: 15 },
        ]),
        admission: known([]),
        requests: known([]),
        checkpoints: known([]),
        etcd: known({ members: names.map((name) => member(name)), alarms: [] }),
        snapshot: known(null),
        workloads: known([{ kind: "Deployment", name: "coredns", desired: 2, present: 2 }]),
        certificates: [
            { name: "Kubernetes CA", notAfter: end, isVerified: true },
            { name: "kube-apiserver", notAfter: end, isVerified: true },
            ...names.map((name) => ({ name: "kube-apiserver", node: name, notAfter: end, isVerified: true })),
            { name: "kubelet", node: "w-0", notAfter: end, isVerified: false },
        ],
        ...change,
    };
}

/** The same with the API down for an unknown reason. */
export function silent(change: Partial<ClusterFacts> = {}): ClusterFacts {
    const why = "no answer within 2 s";
    return healthy({
        api: { url: "https://10.0.0.3:6443", serving: unknown(why) },
        controllers: [controller("c-0", { apiserver: unknown(why), version: unknown(why), kubelet: unknown(why) })],
        nodes: unknown(why),
        pods: unknown(why),
        requests: unknown(why),
        leaders: unknown(why),
        admission: unknown(why),
        checkpoints: unknown(why),
        etcd: unknown("the API is down"),
        snapshot: unknown(why),
        workloads: unknown(why),
        lastSeen: "2026-11-20T06:00:00.000Z",
        ...change,
    });
}
