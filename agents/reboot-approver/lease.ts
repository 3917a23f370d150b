import type { ApiClient } from "../common/api-client";
import { ifFound } from "../common/api-error";
import {
    leasesPath,
    type RebootLease,
    type RebootTurn,
    rebootAnnotation,
    rebootLease,
    rebootLeasePath,
    rebootUntilAnnotation,
} from "../common/reboot-turn";

/** The Lease; undefined before the first turn. */
export function readLease(api: ApiClient): Promise<RebootLease | undefined> {
    return ifFound(api.call<RebootLease>(rebootLeasePath));
}

/** Writes whose turn it is, unless somebody else wrote meanwhile. */
export async function writeTurn(
    api: ApiClient,
    lease: RebootLease | undefined,
    turn: RebootTurn | undefined,
    time: Date,
): Promise<void> {
    const fields = fieldsOf(turn, time, lease?.spec);
    if (lease === undefined) {
        // In a new object a null is no lack, but an empty text.
        const [annotations, spec] = [withoutNulls(fields.annotations), withoutNulls(fields.spec)];
        const metadata = { name: rebootLease, namespace: "kube-system", annotations };
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
        await api.call(leasesPath, { method: "POST", body });
        return;
    }
    const { resourceVersion } = lease.metadata;
    await api.call(rebootLeasePath, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion, annotations: fields.annotations }, spec: fields.spec },
    });
}

function fieldsOf(turn: RebootTurn | undefined, time: Date, before: RebootLease["spec"] = {}) {
    const until = turn?.until === undefined ? null : new Date(turn.until * 1000).toISOString();
    const isOther = turn?.node !== before.holderIdentity;
    // Kubernetes' form of such times.
    const now = time.toISOString().replace("Z", "000Z");
    return {
        annotations: { [rebootAnnotation]: turn?.request ?? null, [rebootUntilAnnotation]: until },
        spec: {
            holderIdentity: turn?.node ?? null,
            ...(isOther && { acquireTime: turn ? now : null, leaseTransitions: (before.leaseTransitions ?? 0) + 1 }),
            renewTime: turn ? now : null,
        },
    };
}

function withoutNulls(fields: object): object {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
