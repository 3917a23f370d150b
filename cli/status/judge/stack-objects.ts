import { type ClusterFacts, critical, type Finding, type ObjectChange, warning } from "../facts";

/** Kinds without which the cluster works. */
const spare = ["PodDisruptionBudget", "StorageClass", "VolumeSnapshotClass"];

const restore = "pulumi up --refresh recreates what is missing and reverts what was changed";

/** Objects of the stack that are missing, or that someone changed. */
export function judgeStackObjects({ objects }: ClusterFacts): Finding[] {
    if (objects === undefined) return [];
    if ("unknown" in objects) {
        const message = `The objects of the stack could not be read: ${objects.unknown}.`;
        return [warning("objects-unknown", message, "kubectl -n kube-system get configmap stack-objects")];
    }
    const { isRecorded, missing, missingBuiltIns, changed } = objects.value;
    return [
        ...(isRecorded
            ? []
            : [
                  critical(
                      "record-missing",
                      "The ConfigMap kube-system/stack-objects is missing: objects of the stack may be missing too.",
                      "pulumi up --refresh recreates it; a new cluster has it at the end of its first pulumi up.",
                  ),
              ]),
        ...byKind(missing).map(([kind, names]) =>
            (spare.includes(kind) ? warning : critical)(
                "object-missing",
                `${subject(kind, names)} missing, which the stack created.`,
                `${restore}.`,
            ),
        ),
        ...byKind(missingBuiltIns).map(([kind, names]) =>
            critical(
                "object-missing",
                `${subject(kind, names)} missing, which kube-apiserver creates when it starts.`,
                "kubectl -n kube-system rollout restart daemonset kube-apiserver; if that is forbidden: tradewind break-glass --to FILE",
            ),
        ),
        ...changed.map(judgeChange),
    ];
}

/** Paths of fields that decide who may do what, and where something runs or is reached. */
const vital =
    /^(rules|roleRef|subjects|webhooks|spec\.(selector|clusterIP|replicas|template\.spec\.(nodeSelector|affinity|nodeName)|validations|matchConstraints|matchConditions|failurePolicy|policyName|validationActions|matchResources))\b/;

function judgeChange({ kind, namespace, name, manager, fields }: ObjectChange): Finding {
    const report = fields.some((field) => vital.test(field)) ? critical : warning;
    const what = namespace === undefined ? name : `${namespace}/${name}`;
    const message = `The ${kind} ${what} of the stack was changed by ${manager}: ${some(fields)}.`;
    return report("object-changed", message, `${restore}.`);
}

function byKind(ids: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[]) {
    const kinds = new Map<string, string[]>();
    for (const { kind, namespace, name } of ids) {
        kinds.set(kind, [...(kinds.get(kind) ?? []), namespace === undefined ? name : `${namespace}/${name}`]);
    }
    return [...kinds];
}

function subject(kind: string, names: readonly string[]): string {
    return names.length === 1
        ? `The ${kind} ${names[0]} is`
        : `The ${names.length} objects ${some(names)} of kind ${kind} are`;
}

/** Names in a message. */
const most = 5;

function some(names: readonly string[]): string {
    return names.length <= most
        ? names.join(", ")
        : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}
