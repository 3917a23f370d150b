import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { DaemonSet } from "../../clients/kubernetes/objects";
import type { Cni, Network } from "../../cluster/model";
import { cniFolder } from "../../cluster/network/cni";

/** What a change of the pod network depends on: docs/cni.md#change. */
export interface RunningCni {
    /** CNIs of ours that run: both, if an earlier change was interrupted. */
    readonly own: readonly Exclude<Cni, "none">[];
    /** kube-router is only the firewall. */
    readonly isFirewall: boolean;
    /** DaemonSets of users that write CNI configurations, and whether they are ready on every node. */
    readonly others: readonly { readonly name: string; readonly isReady: boolean }[];
}

export interface CniChange {
    /** Why `up` cannot make it. */
    readonly problem?: string;
    /** What `up` will do, for previews. */
    readonly plan?: string;
}

/** @param desired - only a change from or to a CNI of users needs to know theirs */
export async function runningCni(api: ApiClient, desired: Cni): Promise<RunningCni> {
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets";
    const [flannel, router] = await Promise.all(
        ["flannel", "kube-router"].map((name) => ifFound(api.call<DaemonSet>(`${path}/${name}`))),
    );
    const own = [
        ...(flannel ? (["flannel"] as const) : []),
        ...(router && isRouter(router) ? (["kube-router"] as const) : []),
    ];
    const isFirewall = router !== undefined && !isRouter(router);
    if (desired !== "none" && own.length > 0) return { own, isFirewall, others: [] };
    const sets = await list<DaemonSet>(api, "/apis/apps/v1/daemonsets");
    const isOwn = ({ metadata }: DaemonSet) =>
        metadata.namespace === "kube-system" && ["flannel", "kube-router"].includes(metadata.name);
    const others = sets.filter((set) => !isOwn(set) && writesCniConfigs(set));
    return {
        own,
        isFirewall,
        others: others.map((set) => ({
            name: `${set.metadata.namespace}/${set.metadata.name}`,
            isReady: isReadyEverywhere(set),
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

function isReadyEverywhere({ status: { desiredNumberScheduled = 0, numberReady = 0 } = {} }: DaemonSet): boolean {
    return desiredNumberScheduled > 0 && numberReady >= desiredNumberScheduled;
}

/** @param network - desired */
export function decideCniChange(
    { own, isFirewall, others }: RunningCni,
    { cni, networkPolicies }: Pick<Network, "cni" | "networkPolicies">,
): CniChange {
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
            const found = others.map(({ name }) => name).join(", ") || "none";
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
