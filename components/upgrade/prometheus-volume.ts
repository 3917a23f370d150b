import type { Caller } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject } from "../../clients/kubernetes/objects";
import { prometheusName } from "../../cluster/manifests/addons/prometheus";
import type { Cluster } from "../../cluster/model";

interface Claim extends ApiObject {
    readonly spec: {
        readonly storageClassName?: string;
        readonly resources?: { readonly requests?: { readonly storage?: string } };
    };
}

interface StorageClass extends ApiObject {
    readonly allowVolumeExpansion?: boolean;
}

/**
 * Why Prometheus cannot have this volume, if so. Kubernetes would refuse another size; for another class, the stack would
 * replace the claim, whose deletion waits for the pod that uses it.
 */
export async function volumeProblem(
    api: Caller,
    { prometheus }: Pick<Cluster, "prometheus">,
): Promise<string | undefined> {
    if (prometheus?.storageClass === undefined) return undefined;
    const { storageClass, storageSize } = prometheus;
    const claim = await ifFound(
        api.call<Claim>(`/api/v1/namespaces/kube-system/persistentvolumeclaims/${prometheusName}`),
    );
    if (claim === undefined) return undefined;
    const { storageClassName = "none", resources } = claim.spec;
    if (storageClassName !== storageClass) {
        const wayOut = "remove prometheus, run `pulumi up`, and set it again, without its samples";
        return `prometheus.storageClass cannot be changed (is ${storageClassName}, got ${storageClass}): ${wayOut}`;
    }
    const [, has] = /^(\d+)Gi$/.exec(resources?.requests?.storage ?? "") ?? [];
    const size = has === undefined ? storageSize : Number(has);
    if (storageSize < size)
        return `prometheus.storageSize must be ${size} or more: volumes do not shrink (got ${storageSize})`;
    if (storageSize === size) return undefined;
    const found = await ifFound(api.call<StorageClass>(`/apis/storage.k8s.io/v1/storageclasses/${storageClass}`));
    return found === undefined || found.allowVolumeExpansion
        ? undefined
        : `prometheus.storageSize cannot be changed (is ${size}, got ${storageSize}): volumes of the class ${storageClass} do not grow`;
}
