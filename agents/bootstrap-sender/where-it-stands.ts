import { type Pod, podProblem } from "../bootstrap/pod-status";
import type { ApiClient } from "../common/api-client";
import { describeError } from "../common/api-error";

/** Who was the last to answer at the API's address. */
export type Reached = "nobody" | "receiver" | "API";

const journals = (units: string) => `\`journalctl ${units}\` there tells more`;

/** How far a cluster that does not start got, and where to look: nobody else sees into the machine of a cloud. */
export async function whereItStands(api: ApiClient, node: string, reached: Reached): Promise<string> {
    switch (reached) {
        case "nobody":
            return `${node} never answered: its machine did not boot, Ignition or cloud-init failed (its console tells), or containerd did not run or fetch images: ${journals("-u containerd -u bootstrap-receiver")}`;
        case "receiver":
            return `${node} was given what starts the cluster, and no API came of it: ${journals("-u bootstrap -u kubelet -u containerd")}`;
        default:
            return `the API of ${node} served; not Ready there: ${await problems(api)}; ${journals("-u bootstrap -u kubelet")}`;
    }
}

async function problems(api: ApiClient): Promise<string> {
    try {
        const { items } = await api.call<{ items: readonly Pod[] }>("/api/v1/namespaces/kube-system/pods");
        return items.flatMap((pod) => podProblem(pod) ?? []).join("; ") || "no pod of kube-system";
    } catch (error) {
        return `nobody knows (${describeError(error)})`;
    }
}
