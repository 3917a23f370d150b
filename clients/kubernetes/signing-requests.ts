import type { ApiClient } from "./api-client";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

interface Named {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/**
 * The CertificateSigningRequests that a signer was asked for, from the apiserver's memory: to approve one that has changed since
 * is refused.
 */
export async function requestsTo<T extends Named>(api: ApiClient, signer: string): Promise<T[]> {
    const query = `resourceVersion=0&fieldSelector=${encodeURIComponent(`spec.signerName=${signer}`)}`;
    return (await api.call<{ items: T[] }>(`${path}?${query}`)).items;
}

/** Whether one has no answer yet. */
export function isPending({ status }: { readonly status?: { readonly conditions?: readonly unknown[] } }): boolean {
    return !status?.conditions?.length;
}

/** Approves one, unless somebody else changed it meanwhile. @param reason - as Kubernetes' conditions have it */
export async function approve(api: ApiClient, { metadata }: Named, reason: string, message: string): Promise<void> {
    const condition = { type: "Approved", status: "True", reason, message };
    await api.call(`${path}/${metadata.name}/approval`, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions: [condition] } },
    });
}

/** Says why one is left, once for each reason. @param told - reasons by name */
export function tellLeft(told: Map<string, string>, { metadata: { name } }: Named, why: string): void {
    if (told.get(name) !== why) {
        told.set(name, why);
        // Whoever asks chose some of these words.
        console.log(`left ${name} as it is: ${why.replaceAll(/[^ -~]/g, "?")}`);
    }
}

/** Forgets what was said of requests that are not there any more. */
export function forgetOthers(told: Map<string, string>, requests: readonly Named[]): void {
    const names = requests.map(({ metadata }) => metadata.name);
    for (const name of [...told.keys()].filter((each) => !names.includes(each))) {
        told.delete(name);
    }
}
