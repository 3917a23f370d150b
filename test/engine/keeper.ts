import { keeperName } from "../../agents/etcd/keeper/status";
import type { ApiServer } from "./apiserver";

const path = "/apis/apps/v1/namespaces/kube-system/deployments";

/** Shows etcd's keeper as running, or not: agents rely on its report only while it does. */
export async function runKeeper({ http }: ApiServer): Promise<void> {
    const labels = { "k8s-app": keeperName };
    const spec = { containers: [{ name: keeperName, image: "example.com/keeper" }] };
    const body = {
        metadata: { name: keeperName },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
    await http.send({ method: "POST", path, body });
    await reportKeeper({ http } as ApiServer, 1);
}

/** @param availableReplicas - 0: it does not run */
export async function reportKeeper({ http }: ApiServer, availableReplicas: number): Promise<void> {
    const counts = { replicas: 1, readyReplicas: availableReplicas, availableReplicas };
    const body = { status: counts };
    await http.send({
        method: "PATCH",
        path: `${path}/${keeperName}/status`,
        body,
        contentType: "application/merge-patch+json",
    });
}
