import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { loseControlPlane } from "../../cluster/control-plane-loss";
import type { Scene } from "../../cluster/faults";
import { recover, strikeAtEachStep } from "./recovering";
import type { Recovery } from "./recovery";

const lose = ({ cluster, controllers }: Scene) => loseControlPlane(cluster, controllers);

/** Fewer than all steps, as some are over in a moment. */
const leastSteps = 6;

function struck(name: string, about: string, strike: (scene: Scene, controller: string) => Promise<unknown>): Recovery {
    return {
        name,
        about,
        run: async (scene, say) => {
            const [controller] = scene.controllers as [string];
            await lose(scene);
            const recovering = recover(scene, say, "--from", "etcd");
            const steps = await strikeAtEachStep(scene, controller, () => strike(scene, controller), recovering);
            say(`struck at ${steps.length} steps: ${steps.join(", ")}`);
            assert.ok(steps.length >= leastSteps, "steps that were struck");
        },
    };
}

export const fromEtcd: readonly Recovery[] = [
    {
        name: "control-plane",
        about: "the control plane of every controller is lost with its checkpoints: --from etcd",
        run: async (scene, say) => {
            await lose(scene);
            await recover(scene, say, "--from", "etcd");
        },
    },
    {
        name: "control-plane-plain",
        about: "the same, recovered on the last controller and then the first: --from etcd --plain --controller, --from api",
        run: async (scene, say) => {
            const [first, last] = [scene.controllers[0]!, scene.controllers.at(-1)!];
            await lose(scene);
            await recover(scene, say, "--from", "etcd", "--plain", "--controller", last);
            // Its kubelet uses its own apiserver, which only that kubelet could start.
            await recover(scene, say, "--from", "api", "--controller", first);
        },
    },
    {
        name: "bad-arguments",
        about: "the same after an up with arguments that nothing starts with: --hold --plain, up while it is held, --release",
        run: async (scene, say) => {
            const { cluster } = scene;
            const set = (path: string, value: string) =>
                cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
            await set("rolloutTimeout", "30s");
            await set("components.kubeApiserver.v", "loud");
            await assert.rejects(cluster.pulumi("up", "--yes", "--skip-preview"), /invalid argument "loud"/);
            await lose(scene);
            await recover(scene, say, "--from", "etcd", "--hold", "--plain");
            await cluster.pulumi("config", "rm", "--path", "tradewind:components");
            await cluster.pulumi("config", "rm", "tradewind:rolloutTimeout");
            await cluster.pulumi("up", "--yes", "--skip-preview");
            say("up succeeded while it was held");
            const { stdout } = await cluster.tradewind("recover", "--release", "--timeout", "600");
            assert.match(stdout, /the cluster's own control plane serves again/);
            await cluster.pulumi("preview", "--expect-no-changes");
        },
    },
    struck(
        "killed-at-each-step",
        "the agent gets SIGKILL at each step of a recovery from etcd",
        ({ cluster }, controller) =>
            cluster.exec(controller, "ctr -n tradewind tasks kill --signal SIGKILL tradewind-bootstrap || true"),
    ),
    struck(
        "cut-at-each-step",
        "the controller loses power at each step of a recovery from etcd",
        ({ cluster }, controller) => powerCut(cluster.name, controller),
    ),
];
