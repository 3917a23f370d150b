import { eventually, type TestCluster } from "./cluster";

/** Kills every process of the control plane and removes its checkpoints: only etcd is left. */
const destroy = `
set -eu
systemctl stop kubelet
rm -rf /etc/kubernetes/checkpoints/* /etc/kubernetes/manifests/checkpoint-*
for id in $(ctr -n k8s.io containers ls | awk '/\\/kube-(apiserver|controller-manager|scheduler)[:@]|haproxy[:@]|\\/node[:@]/ { print $1 }'); do
    ctr -n k8s.io tasks kill --signal SIGKILL "$id" 2>/dev/null || true
done
systemctl start kubelet
`;

/** Leaves controllers with nothing of their control plane but etcd. */
export async function loseControlPlane(cluster: TestCluster, controllers: readonly string[]): Promise<void> {
    await Promise.all(controllers.map((controller) => cluster.exec(controller, destroy)));
    for (const controller of controllers) {
        await eventually(`the API of ${controller} to be down`, async () => {
            const answer = await cluster.exec(controller, "curl -sk -m 2 https://127.0.0.1:6443/readyz || echo down");
            if (answer.trim() !== "down") throw new Error(`it answers ${answer}`);
        });
    }
}
