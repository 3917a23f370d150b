import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../cluster/cluster";
import type { Scene } from "../../cluster/faults";
import { recover } from "./recovering";
import type { Recovery } from "./recovery";

const managers = ["kube-controller-manager", "kube-scheduler"];

/** Takes their checkpoints and copies away as well: nobody is left who could make them anew. */
async function loseManagers({ cluster, controllers }: Scene): Promise<void> {
    const selector = `k8s-app in (${managers.join(",")})`;
    const now = ["--grace-period=0", "--force", "--wait=false"];
    await cluster.kubectl("-n", "kube-system", "delete", "pods", "-l", selector, ...now);
    const files = managers.map((name) => `/etc/kubernetes/checkpoints/kube-system/${name}`);
    const copies = managers.map((name) => `/etc/kubernetes/manifests/checkpoint-kube-system.${name}.json`);
    const remove = `rm -rf ${[...files, ...copies].join(" ")}`;
    await Promise.all(controllers.map((controller) => cluster.exec(controller, remove)));
    await eventually("the managers to be gone", async () => {
        for (const controller of controllers) {
            await cluster.exec(controller, `${remove}; ! pgrep -x "kube-controller|kube-scheduler"`);
        }
    });
    // Long enough for a copy to come, were there one.
    await sleep(10_000);
    for (const controller of controllers) {
        await cluster.exec(controller, `! pgrep -x "kube-controller|kube-scheduler"`);
    }
}

export const fromApi: readonly Recovery[] = [
    {
        name: "managers",
        about: "every kube-controller-manager and kube-scheduler is gone with its checkpoints: --from api",
        run: async (scene, say) => {
            await loseManagers(scene);
            await recover(scene, say, "--from", "api");
        },
    },
];
