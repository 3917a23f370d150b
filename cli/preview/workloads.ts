import { stepOf, type UpgradeStep } from "../../cluster/upgrades/order";
import { differences, isObject } from "./differences";
import type { ClusterSteps, OwnedStep, Values } from "./model";

/** An object in the cluster that runs pods. */
export interface Workload {
    readonly step: OwnedStep;
    /** Its name in Kubernetes. */
    readonly name: string;
    /** When its pods are replaced. @default - in any order: the API does not wait for it */
    readonly turn?: UpgradeStep;
}

const workloadType = /^kubernetes:apps\/v1:(DaemonSet|Deployment|StatefulSet)$/;

/** Workloads whose pods are replaced. */
export function rollingWorkloads({ steps }: ClusterSteps): Workload[] {
    return steps.filter(isRolled).map((step) => {
        const name = String(at(step.new, "metadata", "name") ?? step.name.split("/").at(-1));
        const turn = stepOf(step.component, name);
        return { step, name, ...(turn && { turn }) };
    });
}

/** The pod template of a workload, before or after. */
export function templateOf(values: Values | undefined): unknown {
    return at(values, "spec", "template");
}

/** A nested value. */
export function at(value: unknown, ...path: readonly string[]): unknown {
    return path.reduce<unknown>((within, key) => (isObject(within) ? within[key] : undefined), value);
}

function isRolled({ type, operation, old, new: coming, changed }: OwnedStep): boolean {
    if (!workloadType.test(type) || (operation !== "update" && operation !== "replace")) return false;
    const paths = changed.flatMap((path) => (path.startsWith("spec.template.") ? [path.slice(14)] : []));
    return differences(templateOf(old), templateOf(coming), paths).length > 0;
}
