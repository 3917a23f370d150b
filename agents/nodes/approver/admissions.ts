import { type ApiClient, patch } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import type { Lease } from "../../../clients/kubernetes/objects";
import { leasesPath } from "../../../clients/kubernetes/reboot-turn";
import type { Admissions } from "./decide";

/** The Lease that records recent admissions. */
export const admissionsLease = "node-approver";

const annotation = "tradewind.dev/admissions";

/** Content of the Lease, and its version. */
export interface AdmissionRecord {
    readonly admissions: Admissions;
    /** @default - there is no Lease yet */
    readonly resourceVersion?: string;
}

export async function readAdmissions(api: ApiClient): Promise<AdmissionRecord> {
    const lease = await ifFound(api.call<Lease>(`${leasesPath}/${admissionsLease}`));
    return lease ? recordOf(lease) : { admissions: {} };
}

/**
 * Records an admission before any request is approved. Throws if the Lease has changed since it was read: several
 * agents may run at a time, and only one of them can admit a name.
 */
export async function writeAdmissions(
    api: ApiClient,
    { resourceVersion }: AdmissionRecord,
    admissions: Admissions,
): Promise<AdmissionRecord> {
    const annotations = { [annotation]: JSON.stringify(admissions) };
    if (resourceVersion === undefined) {
        const metadata = { name: admissionsLease, namespace: "kube-system", annotations };
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
        return recordOf(await api.call<Lease>(leasesPath, { method: "POST", body }));
    }
    const body = { metadata: { resourceVersion, annotations } };
    return recordOf(await patch<Lease>(api, `${leasesPath}/${admissionsLease}`, "merge", body));
}

function recordOf({ metadata: { resourceVersion, annotations } }: Lease): AdmissionRecord {
    return { admissions: JSON.parse(annotations?.[annotation] ?? "{}"), resourceVersion };
}
