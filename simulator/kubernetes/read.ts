import type { Operation, Properties } from "../plugin";
import type { Cluster } from "./cluster";
import { isNotFound, NoSuchKindError } from "./faults";
import { fieldManagerOf } from "./field-manager";
import { apiVersionOf, parseType } from "./kind";
import { fromApi, idOf, type KubernetesObject, parseId, toApi, withMetadata } from "./object";
import { reconcile } from "./reconcile";
import { liveOf, marked, recordOf } from "./state";

export interface Reading extends Operation {
    readonly id: string;
    /** Empty on import. */
    readonly inputs: KubernetesObject;
    readonly state: Properties;
}

const BOOKKEEPING = {
    creationTimestamp: undefined,
    generation: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
};

/** The object as it is now; `undefined` when it is gone. */
export async function read(cluster: Cluster, { type, id, inputs, state, secrets, signal }: Reading) {
    const kind = parseType(type);
    const recorded = liveOf(state);
    const isImport = !inputs.kind && !recorded.kind;
    const { apiVersion = apiVersionOf(kind), kind: kindName = kind.kind } = inputs.kind ? inputs : recorded;
    const wanted = { apiVersion, kind: kindName, metadata: parseId(id) };
    const live = await cluster.get(wanted, { signal }).catch((error) => {
        if (isNotFound(error) || error instanceof NoSuchKindError) return undefined;
        throw error;
    });
    if (!live) return undefined;
    const seen = fromApi(isImport ? importable(live) : reconcile(toApi(inputs), live, "drop"));
    const fieldManager = fieldManagerOf(inputs, state);
    return {
        id: id || idOf(live),
        state: recordOf(live, seen, { fieldManager, secrets }),
        inputs: marked(seen, secrets),
    };
}

// What a program could have written to get this object.
function importable(live: KubernetesObject): KubernetesObject {
    const { status: _, ...object } = withMetadata(live, BOOKKEEPING);
    const { annotations, ...metadata } = object.metadata ?? {};
    const machineMade = ["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"];
    const kept = Object.entries(annotations ?? {}).filter(([name]) => !machineMade.includes(name));
    return { ...object, metadata: kept.length ? { ...metadata, annotations: Object.fromEntries(kept) } : metadata };
}
