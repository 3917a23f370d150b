import { type UpgradeStep, upgradeSteps } from "../../cluster/upgrades/order";
import type { Diagnostic } from "./model";
import { cniPluginsChange, kubeletChange, runtimeChange } from "./versions";
import type { Workload } from "./workloads";

/** A part of an `up`, in its turn. */
export interface Turn {
    readonly what: string;
    /** What those notice who use the cluster. */
    readonly cost: string;
}

/**
 * What `up` does to what runs already, in the order in which it does. The costs are those of docs/upgrades.md.
 *
 * @param refreshed - groups whose machines the cloud makes anew
 */
export function turns(
    workloads: readonly Workload[],
    refreshed: readonly string[],
    diagnostics: readonly Diagnostic[],
): Turn[] {
    const etcd = diagnostics.filter(({ message }) => isOfEtcd(message)).map(({ message }) => message);
    const isUpgrade = diagnostics.some(({ message }) => isOfUpgrade(message));
    const rolled = (Object.keys(upgradeSteps) as UpgradeStep[]).flatMap((step) => {
        const own = workloads.filter(({ turn }) => turn === step);
        // Pools come one after the other, all else of a step at once.
        const groups = step === "workerKubelets" ? own.map((each) => [each]) : [own];
        return groups
            .filter((group) => group.length > 0)
            .map((group) => ({ what: nameOf(step, group), cost: cost(step, group) }));
    });
    return [
        ...(etcd.length > 0 || isUpgrade ? [{ what: upgradeSteps.snapshot, cost: "without one nothing begins" }] : []),
        ...(etcd.length > 0 ? [{ what: etcd.join("; "), cost: costOfEtcd }] : []),
        ...rolled,
        ...refreshed.map((name) => ({ what: `the machines of ${name}`, cost: "made anew by the cloud: below" })),
    ];
}

/** Whether a diagnostic is one that the turns tell already: the words of components/upgrade. */
export function isTold({ severity, message }: Diagnostic): boolean {
    return severity === "info" && (isOfEtcd(message) || isOfUpgrade(message));
}

const isOfEtcd = (message: string) => /^etcd of \S+: /.test(message);
const isOfUpgrade = (message: string) => /^Kubernetes \S+ becomes \S+: /.test(message);

const costOfEtcd =
    "one member after the other; meanwhile requests wait at that controller's kube-apiserver, for seconds, and a write that is under way may fail";

function nameOf(step: UpgradeStep, workloads: readonly Workload[]): string {
    const names = workloads.map(({ name }) => name);
    // Node-agents change all of them in one turn.
    const changed = [
        "the kubelets",
        ...(workloads.flatMap(cniPluginsChange).length > 0 ? ["CNI plugins"] : []),
        ...(workloads.flatMap(runtimeChange).length > 0 ? ["container runtimes"] : []),
    ];
    const ofNodes = changed.join(", ").replace(/, ([^,]*)$/, " and $1");
    if (step === "controllerKubelets") return `${ofNodes} of controllers`;
    return step === "workerKubelets" ? `${ofNodes} of ${poolOf(names[0]!)}` : names.sort().join(", ");
}

function poolOf(nodeAgent: string): string {
    return nodeAgent.replace(/^node-agent-/, "");
}

function cost(step: UpgradeStep, workloads: readonly Workload[]): string {
    switch (step) {
        case "snapshot":
        case "etcd":
            return "";
        case "checkpointer":
            return "one controller after the other; what runs is not touched";
        case "apiserver":
            return "the new one serves before the old one goes, on the only controller too: no request is lost";
        case "controllers":
            return "the new ones are there before the old ones go, and take over their leases";
        case "addons":
            return "node by node";
        case "controllerKubelets":
        case "workerKubelets": {
            const isOtherMinor = workloads.flatMap(kubeletChange).some(({ from, to }) => minor(from) !== minor(to));
            const runtimes = workloads.flatMap(runtimeChange);
            const isOtherRunc = runtimes.some(({ from, to }) => runc(from) !== runc(to));
            const drained = "drained first as disruption budgets allow, if there is another node";
            if (isOtherMinor || isOtherRunc) return `node after node, each ${drained}`;
            return runtimes.length > 0
                ? `node after node; their containers run on, but for another minor version of containerd, for which each is ${drained}`
                : "node after node; their containers run on";
        }
    }
}

/** The second of a runtime's two hashes. */
function runc(runtime: string): string {
    return runtime.split("-")[1]!;
}

function minor(version: string): string {
    return version.split(".").slice(0, 2).join(".");
}
