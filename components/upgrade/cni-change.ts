import { type ApiClient, list, metadataOnly } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import type { DaemonSet, Node } from "../../clients/kubernetes/objects";
import type { Cni, Network } from "../../cluster/model";
import { cniFolder } from "../../cluster/network/cni";

/** What a change of the pod network or of Services depends on: docs/cni.md#change. */
export interface RunningCni {
    /** kube-proxy runs although the cluster should have none. */
    readonly losesKubeProxy: boolean;
    /** CNIs of ours that run: both, if an earlier change was interrupted. */
    readonly own: readonly Exclude<Cni, "none">[];
    /** kube-router is only the firewall. */
    readonly isFirewall: boolean;
    /** DaemonSets of users that write CNI configurations, and whether they are ready on every node. */
    readonly others: readonly {
        readonly name: string;
        readonly isReady: boolean;
        /** On how many nodes it is ready, or what it waits for. */
        readonly state: string;
    }[];
}

export interface CniChange {
    /** Why `up` cannot make it. */
    readonly problem?: string;
    /** What `up` will do, for previews. */
    readonly plan?: string;
}

/** @param desired - only a change from or to a CNI of users needs to know theirs */
export async function runningCni(
    api: ApiClient,
    { cni: desired, kubeProxyMode }: Pick<Network, "cni" | "kubeProxyMode">,
): Promise<RunningCni> {
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets";
    const setOf = (name: string) => ifFound(api.call<DaemonSet>(`${path}/${name}`));
    const [flannel, router, proxy] = await Promise.all([
        setOf("flannel"),
        setOf("kube-router"),
        kubeProxyMode === "none" ? setOf("kube-proxy") : undefined,
    ]);
    const own = [
        ...(flannel ? (["flannel"] as const) : []),
        ...(router && isRouter(router) ? (["kube-router"] as const) : []),
    ];
    const running = { own, isFirewall: router !== undefined && !isRouter(router), losesKubeProxy: proxy !== undefined };
    if (desired !== "none" && own.length > 0) return { ...running, others: [] };
    const [sets, nodes] = await Promise.all([
        list<DaemonSet>(api, "/apis/apps/v1/daemonsets"),
        list<Node>(api, "/api/v1/nodes?limit=500", metadataOnly),
    ]);
    const isOwn = ({ metadata }: DaemonSet) =>
        metadata.namespace === "kube-system" && ["flannel", "kube-router"].includes(metadata.name);
    const others = sets.filter((set) => !isOwn(set) && writesCniConfigs(set));
    return {
        ...running,
        others: others.map((set) => ({
            name: `${set.metadata.namespace}/${set.metadata.name}`,
            ...readiness(set, nodes.length),
        })),
    };
}

function isRouter({ spec }: DaemonSet): boolean {
    return spec?.template?.spec.containers.some(({ command = [] }) => command.includes("--run-router=true")) ?? false;
}

function writesCniConfigs({ spec }: DaemonSet): boolean {
    const paths = spec?.template?.spec.volumes?.flatMap(({ hostPath }) => hostPath?.path ?? []) ?? [];
    return paths.some((path) => path.replace(/\/$/, "") === cniFolder);
}

/** A node selector may leave out nodes: those would have no network. */
function readiness(set: DaemonSet, nodes: number): { readonly isReady: boolean; readonly state: string } {
    const { numberReady = 0 } = set.status ?? {};
    if (numberReady < nodes || nodes === 0) return { isReady: false, state: ` on ${numberReady} of ${nodes} nodes` };
    return isRolledOut(set) ? { isReady: true, state: "" } : { isReady: false, state: ", which is being rolled out" };
}

type Desired = Pick<Network, "cni" | "networkPolicies" | "kubeProxyMode">;

/** @param desired - network of the cluster */
export function decideCniChange(running: RunningCni, desired: Desired): CniChange {
    const change = decidePodNetwork(running, desired);
    if (change.problem !== undefined || !running.losesKubeProxy) return change;
    const removal =
        "kube-proxy is removed from every node last of all; its rules stay on a node, outdated, until it reboots";
    return { plan: change.plan === undefined ? removal : `${change.plan}; ${removal}` };
}

function decidePodNetwork({ own, isFirewall, others }: RunningCni, { cni, networkPolicies }: Desired): CniChange {
    const leaving = own.filter((each) => each !== cni);
    if (leaving.length === 0 && (own.length > 0 || cni === "none")) return {};
    const from = leaving.join(" and ") || "none";
    const change = `the pod network changes from ${from} to ${cni}`;
    if (cni === "none") {
        if (leaving.includes("kube-router")) {
            return { problem: "network.cni must be flannel before it becomes none (is kube-router)" };
        }
        const ready = others.find(({ isReady }) => isReady);
        if (ready === undefined) {
            const found = others.map(({ name, state }) => `${name}${state}`).join("; ") || "none";
            return {
                problem: `network.cni none requires a DaemonSet of your CNI that mounts ${cniFolder} and is ready on every node (found ${found})`,
            };
        }
        return { plan: `${change}: flannel is removed from every node last of all, and ${ready.name} stays` };
    }
    if (leaving.length === 0) {
        if (others.length === 0) return cni === "kube-router" && isFirewall ? { plan: interrupted } : {};
        return cni === "flannel"
            ? {
                  plan: `${change}: new pods use it at once; remove ${others.map(({ name }) => name).join(", ")} after it`,
              }
            : { problem: "network.cni must be flannel before it becomes kube-router (is none)" };
    }
    if (leaving.includes("kube-router") && networkPolicies !== "enforced") {
        return {
            problem: `network.networkPolicies must be enforced while network.cni changes from kube-router (got ${networkPolicies})`,
        };
    }
    const steps =
        cni === "kube-router"
            ? "kube-router takes over routes node by node, then flannel is removed from every node"
            : "kube-router stops to route node by node, then flannel starts on every node, takes over routes and removes those of kube-router";
    return {
        plan: `${change}: ${steps}; pods keep running, and network policies apply throughout${own.length > 1 ? `; ${interrupted}` : ""}`,
    };
}

/** The engine does not record what it was about to change when it was killed. */
const interrupted = "a change of the pod network was interrupted: `up` continues it, `up --refresh` takes it back";
