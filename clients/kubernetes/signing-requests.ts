import type { ApiClient } from "./api-client";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

interface Named {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/**
 * The CertificateSigningRequests for a signer, from the apiserver's cache: approving one that has changed since then is
 * refused.
 */
export async function requestsTo<T extends Named>(api: ApiClient, signer: string): Promise<T[]> {
    const query = `resourceVersion=0&fieldSelector=${encodeURIComponent(`spec.signerName=${signer}`)}`;
    return (await api.call<{ items: T[] }>(`${path}?${query}`)).items;
}

/** Whether a request is neither approved nor denied. */
export function isPending({ status }: { readonly status?: { readonly conditions?: readonly unknown[] } }): boolean {
    return !status?.conditions?.length;
}

/** Approves a request, unless it has changed in the meantime. @param reason - of the Kubernetes condition */
export async function approve(api: ApiClient, { metadata }: Named, reason: string, message: string): Promise<void> {
    const condition = { type: "Approved", status: "True", reason, message };
    await api.call(`${path}/${metadata.name}/approval`, {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions: [condition] } },
    });
}

/** Logs why a request is not approved, once per reason. @param told - reasons by name */
export function tellLeft(told: Map<string, string>, { metadata: { name } }: Named, why: string): void {
    if (told.get(name) !== why) {
        told.set(name, why);
        // Parts of the message are chosen by the requester.
        console.log(`not approving ${name}: ${why.replaceAll(/[^ -~]/g, "?")}`);
    }
}

/** Forgets logged reasons of requests that no longer exist. */
export function forgetOthers(told: Map<string, string>, requests: readonly Named[]): void {
    const names = requests.map(({ metadata }) => metadata.name);
    for (const name of [...told.keys()].filter((each) => !names.includes(each))) {
        told.delete(name);
    }
}
