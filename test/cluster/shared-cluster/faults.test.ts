import { randomOf } from "../../soak/sequence";
import { strike } from "../../soak/strike";
import { Written } from "../../soak/written";
import { describeInTurn, itTakesLong } from "../../takes-long";
import { readText } from "../cluster";
import { faultNamed, isWhole, type Scene } from "../faults";
import { ObjectCounter } from "../object-counter";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [`${shared.name}-default-0`, `${shared.name}-default-1`] as const;
const scene: Scene = { cluster: shared, controllers: [controller], workers };

/** A fault on a machine, cut short: `npm run soak` has all of them, for longer and at random. */
const on = (machine: string, name: string, lasts?: number) => {
    const fault = faultNamed(name);
    return { fault: lasts === undefined ? fault : { ...fault, lasts }, machine, at: 0 };
};

describeInTurn("faults", "a cluster", function () {
    this.timeout(480_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await isWhole(scene, new Date(), 180);
    });

    after(() => shared.kubectl("delete", "daemonset/fault-probe", "--ignore-not-found", "--wait=false"));

    for (const [run, what, steps] of [
        [
            it,
            "a killed kubelet, a containerd that is stopped, one that hangs, and the loss of cluster DNS and pod network, all at once",
            [
                on(controller, "kubelet-killed"),
                on(workers[0], "containerd-stopped", 20),
                on(workers[1], "containerd-hangs", 20),
                on(controller, "dns-deleted"),
                on(controller, "network-deleted"),
            ],
        ],
        [
            itTakesLong,
            "a power cut of its only controller while checkpointer and kube-apiserver are upgraded together",
            [on(controller, "upgrade-cut")],
        ],
    ] as const) {
        run(`survives ${what}, and loses no object`, async () => {
            const counter = new ObjectCounter(readText(shared.kubeconfig));
            const written = new Written(shared);
            let seconds: number;
            try {
                seconds = await strike(scene, steps, randomOf(1));
            } finally {
                written.add(await counter.stop());
            }
            const all = await written.check();
            const { longestGap, failures } = written.last!;
            console.log(
                `      whole after ${seconds.toFixed(1)} s; ${all} objects written, ${failures.length} refused, ` +
                    `longest gap ${longestGap} ms`,
            );
            await written.remove();
        });
    }
});
