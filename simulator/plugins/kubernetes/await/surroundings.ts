import type { Cluster } from "../cluster";
import { isNotFound } from "../faults";
import { type KubernetesObject, kindOf } from "../object";
import type { Surroundings } from "./readiness";

/** Objects in the namespace of an object, or in the cluster for cluster-scoped kinds. */
export function surroundings(cluster: Cluster, object: KubernetesObject, signal: AbortSignal): Surroundings {
    const namespace = object.metadata?.namespace;
    return {
        list: (apiVersion, kind, selector) =>
            cluster.list(kindOf({ apiVersion, kind }), namespace, selector, { signal }),
        get: (apiVersion, kind, name) =>
            cluster.get({ apiVersion, kind, metadata: { name, namespace } }, { signal }).catch((error) => {
                if (isNotFound(error)) return undefined;
                throw error;
            }),
    };
}
