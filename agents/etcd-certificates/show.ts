import { describePassing, ifFound } from "../common/api-error";
import { KubeletApi } from "../common/kubelet-api";
import { type Patience, waitFor } from "../common/wait";
import type { EtcdCertificatesPlan } from "./plan";
import { type AnnotatedPod, tells } from "./static-pod";

type MirrorPod = AnnotatedPod & {
    readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
};

/**
 * Waits until the API has the member's pod say what it says on its machine: before the next step, the stack asks there.
 *
 * The kubelet would not tell by itself: to it, it is the same pod. It tells anew of one that is not there.
 */
export async function showPod({ name, annotation, api }: EtcdCertificatesPlan, patience: Patience): Promise<void> {
    if (api === undefined) {
        return;
    }
    const client = new KubeletApi([api.server], api.credentials, "tradewind-etcd-certificates");
    const path = `/api/v1/namespaces/kube-system/pods/etcd-${name}`;
    let isRemoved = false;
    const look = async () => {
        const pod = await ifFound(client.call<MirrorPod>(path));
        if (pod === undefined) return "it knows none";
        if (tells(pod, annotation)) return undefined;
        if (!isRemoved) {
            await client.remove(pod);
            isRemoved = true;
        }
        return "it knows it as it was";
    };
    await waitFor(patience, "the API to know the member's pod as it is", () => look().catch(describePassing));
}
