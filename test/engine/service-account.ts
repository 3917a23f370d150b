import { ApiClient } from "../../clients/kubernetes/api-client";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { fieldManager, type Manifest, owned } from "../../cluster/manifest";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "./apiserver";

/** Applies manifests like the stack. */
export async function applyAll(api: ApiServer, manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) {
        await api.cluster.apply(owned(manifest) as unknown as KubernetesObject, { fieldManager, force: false });
    }
}

/** Of an agent's manifests, accounts and their permissions: its pod cannot run here. */
export function permissionsOf(manifests: readonly Manifest[]): Manifest[] {
    return manifests.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind));
}

/** A token of an account of kube-system, for an hour unless its specification says otherwise. */
export async function tokenOf(api: ApiServer, account: string, spec = {}): Promise<string> {
    const path = `/api/v1/namespaces/kube-system/serviceaccounts/${account}/token`;
    const body = { spec: { expirationSeconds: 3600, ...spec } };
    return String(at((await api.http.send({ method: "POST", path, body })) as KubernetesObject, "status", "token"));
}

/** The API as accessed by an agent's pod: with exactly the permissions of its account. */
export async function clientOf(api: ApiServer, account: string): Promise<ApiClient> {
    const { server, ca } = connectionOf(api.kubeconfig, {});
    const token = await tokenOf(api, account);
    return new ApiClient(server, () => ({ ca: ca?.toString(), token }));
}
