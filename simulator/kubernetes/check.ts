import { type Failure, isUnknown, type Properties } from "../plugin";
import { ruleFor } from "./await/rules";
import { type Kind, parseType } from "./kind";
import { named } from "./naming";
import { type KubernetesObject, withMetadata } from "./object";
import { marked } from "./state";

// Set by the API server alone; a manifest taken from a cluster has them.
const READ_ONLY = {
    creationTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    deletionTimestamp: undefined,
    generation: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
};

export interface CheckOptions {
    readonly type: string;
    readonly name: string;
    readonly oldInputs: KubernetesObject;
    /** Where objects go that name no namespace. */
    readonly namespace: string;
    /** Asked only about kinds that are not Kubernetes' own. */
    readonly isNamespaced: (kind: Kind) => Promise<boolean>;
    readonly enableServerSideApply: boolean;
}

/** Completes the inputs: a name where there is none, a namespace where there must be one. */
export async function check(
    inputs: KubernetesObject,
    { type, name, oldInputs, namespace, isNamespaced, enableServerSideApply }: CheckOptions,
): Promise<{ inputs: Properties; failures: Failure[] }> {
    const kind = parseType(type);
    const failures = [...problems(inputs, kind, enableServerSideApply), ...annotationProblems(inputs)];
    if (failures.length) return { inputs, failures };
    // Nothing can be said of metadata that only comes to be, not even that the name is missing.
    if (isUnknown(inputs.metadata)) return { inputs: marked(inputs, new Set()), failures };
    const clean = inputs.metadata ? withMetadata(inputs, READ_ONLY) : inputs;
    const complete = named(clean, oldInputs, name);
    const needsNamespace = !complete.metadata?.namespace && (await isNamespaced(kind));
    const placed = needsNamespace ? withMetadata(complete, { namespace }) : complete;
    return { inputs: marked(placed, new Set()), failures: [] };
}

// What an object is to be awaited for must be understood before it is made.
function annotationProblems(inputs: KubernetesObject): Failure[] {
    try {
        ruleFor(inputs);
        return [];
    } catch (error) {
        return [{ property: "metadata.annotations", reason: (error as Error).message }];
    }
}

function problems(
    { metadata }: KubernetesObject,
    { kind, isPatch }: Kind & { isPatch: boolean },
    isServerSideApply: boolean,
): Failure[] {
    if (kind.endsWith("List")) {
        return [{ property: "kind", reason: `kind must be of a single object, got ${kind}: create its items instead` }];
    }
    if (isPatch && !isServerSideApply) {
        return [{ property: "", reason: "patch resources need enableServerSideApply on the provider" }];
    }
    if (isPatch && !metadata?.name && !isUnknown(metadata)) {
        return [{ property: "metadata.name", reason: "patch resources require `.metadata.name` to be set" }];
    }
    if (metadata?.generateName && !metadata.name) {
        return [{ property: "metadata.generateName", reason: "metadata.generateName is not supported, leave it out" }];
    }
    return [];
}
