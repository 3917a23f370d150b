import { jobsInOrder } from "../../cluster/upgrades/jobs";
import { stepNames, stepNamesBack, type UpgradeStep, upgradeSteps } from "../../cluster/upgrades/order";
import type { Diagnostic } from "./model";
import { cniPluginsChange, kubeletChange, runtimeChange } from "./versions";
import { at, type Workload } from "./workloads";

/** A stage of an `up`. */
export interface Turn {
    readonly what: string;
    /** Impact on users of the cluster. */
    readonly cost: string;
}

/**
 * The changes that `up` makes to running components, in order, with their impact according to docs/upgrades.md.
 *
 * @param refreshed - groups whose machines the cloud replaces
 */
export function turns(
    workloads: readonly Workload[],
    refreshed: readonly string[],
    diagnostics: readonly Diagnostic[],
): Turn[] {
    const etcd = diagnostics.filter(({ message }) => isOfEtcd(message)).map(({ message }) => message);
    const upgrade = diagnostics.find(({ message }) => isOfUpgrade(message))?.message;
    const isBack = diagnostics.some(({ message }) => isOfWayBack(message));
    const jobs = (step?: UpgradeStep) =>
        jobsInOrder(upgrade?.replace(/^.*?: /, "") ?? "", step).map((what) => ({ what, cost: costOfJob }));
    const rolled = (isBack ? stepNamesBack : stepNames).flatMap((step) => {
        const own = workloads.filter(({ turn }) => turn === step);
        // Pools change one at a time, everything else in a step at once.
        const groups = step === "workerKubelets" ? own.map((each) => [each]) : [own];
        const changed = groups
            .filter((group) => group.length > 0)
            .map((group) => ({ what: nameOf(step, group), cost: cost(step, group) }));
        return step === "snapshot" ? changed : [...changed, ...jobs(step)];
    });
    return [
        ...jobs(),
        ...(etcd.length > 0 || upgrade
            ? [{ what: upgradeSteps.snapshot.title, cost: "nothing else starts before it" }]
            : []),
        ...jobs("snapshot"),
        ...(etcd.length > 0 ? [{ what: etcd.join("; "), cost: costOfEtcd }] : []),
        ...rolled,
        ...refreshed.map((name) => ({ what: `the machines of ${name}`, cost: "replaced by the cloud, see below" })),
    ];
}

/** Whether a diagnostic repeats what the turns say; matches the messages of components/upgrade. */
export function isShown({ severity, message }: Diagnostic): boolean {
    return severity === "info" && (isOfEtcd(message) || isOfUpgrade(message));
}

const isOfEtcd = (message: string) => /^etcd of \S+: /.test(message);
const isOfWayBack = (message: string) => /^Kubernetes \S+ goes back to \S+: /.test(message);
const isOfUpgrade = (message: string) => /^Kubernetes \S+ becomes \S+: /.test(message) || isOfWayBack(message);

const costOfJob = "your own; the upgrade stops if it fails";
const costOfEtcd =
    "one member at a time; requests to that controller's kube-apiserver wait for a few seconds, and a write in progress may fail";

function nameOf(step: UpgradeStep, workloads: readonly Workload[]): string {
    const names = workloads.map(({ name }) => name);
    // Node-agents change all of them at once, node by node.
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
            return "one controller at a time; running pods are not affected";
        case "apiserver":
            return "the new one serves before the old one stops, even on a single controller: no request is lost";
        case "controllers":
            return "the new ones start before the old ones stop, and take over their leases";
        case "addons":
            return "one node at a time, of many a tenth";
        case "controllerKubelets":
        case "workerKubelets": {
            const isOtherMinor = workloads.flatMap(kubeletChange).some(({ from, to }) => minor(from) !== minor(to));
            const runtimes = workloads.flatMap(runtimeChange);
            const isOtherRunc = runtimes.some(({ from, to }) => runc(from) !== runc(to));
            const drained = "drained first if there is another node, respecting disruption budgets";
            const pace = paceOf(workloads[0]!);
            if (isOtherMinor || isOtherRunc) return `${pace}, each ${drained}`;
            return runtimes.length > 0
                ? `${pace}; containers keep running, but if the minor version of containerd changes, each node is ${drained}`
                : `${pace}; containers keep running`;
        }
    }
}

/** How many nodes a DaemonSet changes at the same time. */
function paceOf({ step }: Workload): string {
    const most = at(step.new, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1;
    if (typeof most === "string") return `${most.replace("%", " %")} of the nodes at a time`;
    return most === 1 ? "one node at a time" : `${most} nodes at a time`;
}

/** Version of runc, the second of a runtime's two hashes. */
function runc(runtime: string): string {
    return runtime.split("-")[1]!;
}

function minor(version: string): string {
    return version.split(".").slice(0, 2).join(".");
}
