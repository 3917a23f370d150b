import { setTimeout as sleep } from "node:timers/promises";
import type { Scene } from "../../cluster/faults";
import { recover } from "./recovering";
import type { Recovery } from "./recovery";

const managers = ["kube-controller-manager", "kube-scheduler"];

/** Kills their processes, and removes what could start them without the API. */
const end = `
set -eu
systemctl stop kubelet
for name in ${managers.join(" ")}; do
    rm -rf /etc/kubernetes/checkpoints/kube-system/$name /etc/kubernetes/manifests/checkpoint-kube-system.$name.json
done
for id in $(ctr -n k8s.io containers ls | awk '/\\/kube-(controller-manager|scheduler)[:@]/ { print $1 }'); do
    ctr -n k8s.io tasks kill --signal SIGKILL "$id" 2>/dev/null || true
done
`;

/** Nothing is left that could create or schedule a pod. The API keeps serving. */
async function loseManagers({ cluster, controllers }: Scene): Promise<void> {
    const all = (command: string) => Promise.all(controllers.map((controller) => cluster.exec(controller, command)));
    await all(end);
    const selector = `k8s-app in (${managers.join(",")})`;
    const now = ["--grace-period=0", "--force", "--wait=false"];
    await cluster.kubectl("-n", "kube-system", "delete", "pods", "-l", selector, ...now);
    await all("systemctl start kubelet");
    // Long enough for a copy to start, if there was one.
    await sleep(15_000);
    await all(`! pgrep -x "kube-controller|kube-scheduler"`);
}

export const fromApi: readonly Recovery[] = [
    {
        name: "managers",
        about: "every kube-controller-manager and kube-scheduler is lost with its checkpoints: --from api",
        run: async (scene, say) => {
            await loseManagers(scene);
            await recover(scene, say, "--from", "api");
        },
    },
];
