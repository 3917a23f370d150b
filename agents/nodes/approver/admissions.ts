import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import type { Admissions } from "./decide";

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

/** The Lease that remembers who was admitted lately. */
export const admissionsLease = "node-approver";

const annotation = "tradewind.dev/admissions";

/** What the Lease says, and as which version of it. */
export interface AdmissionRecord {
    readonly admissions: Admissions;
    /** @default - there is no Lease yet */
    readonly resourceVersion?: string;
}

interface Lease {
    readonly metadata: {
        readonly resourceVersion: string;
        readonly annotations?: Readonly<Record<string, string>>;
    };
}

export async function readAdmissions(api: ApiClient): Promise<AdmissionRecord> {
    const lease = await ifFound(api.call<Lease>(`${leases}/${admissionsLease}`));
    return lease ? recordOf(lease) : { admissions: {} };
}

/**
 * Writes who is admitted, before any request is approved. It throws if the Lease has changed since it was read: several agents
 * may work at a time, and only one of them can admit a name.
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
        return recordOf(await api.call<Lease>(leases, { method: "POST", body }));
    }
    const lease = await api.call<Lease>(`${leases}/${admissionsLease}`, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion, annotations } },
    });
    return recordOf(lease);
}

function recordOf({ metadata: { resourceVersion, annotations } }: Lease): AdmissionRecord {
    return { admissions: JSON.parse(annotations?.[annotation] ?? "{}"), resourceVersion };
}
