import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import type { Verdict } from "../../../cli/status/judge";
import { randomOf, type Step } from "../../soak/sequence";
import { strike } from "../../soak/strike";
import { Written } from "../../soak/written";
import { itLong } from "../../takes-long";
import { readText, root } from "../cluster";
import { faultNamed, isWhole, type Scene } from "../faults";
import { ObjectCounter } from "../object-counter";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [`${shared.name}-default-0`, `${shared.name}-default-1`] as const;
const scene: Scene = { cluster: shared, controllers: [controller], workers };

/** A fault on a machine, shortened: `npm run soak` has all of them, longer and at random. */
const on = (machine: string, name: string, lasts?: number) => {
    const fault = faultNamed(name);
    return { fault: lasts === undefined ? fault : { ...fault, lasts }, machine, at: 0 };
};

/** The same, checking that the user is warned of a clock that differs from the host's. */
function toldOf({ fault, ...step }: Step, difference: RegExp): Step {
    const inject: Step["fault"]["inject"] = async (...args) => {
        await fault.inject(...args);
        const findings = await statusFindings();
        const told = findings.find(({ code }) => code === "clock-differs");
        assert.match(told?.message ?? "nothing", difference, JSON.stringify(findings));
    };
    return { ...step, fault: { ...fault, inject } };
}

function statusFindings(): Promise<Verdict["findings"]> {
    const args = ["status", "--name", shared.name, "-o", "json"];
    return new Promise((done, fail) => {
        // It exits with an error if the cluster is unhealthy, and prints the same.
        execFile(resolve(root, "dev/tradewind.cjs"), args, (error, stdout) =>
            stdout ? done(JSON.parse(stdout).findings) : fail(error),
        );
    });
}

const clockReason = faultNamed("clock-forward").whyNot;
const unless = (reason: string | undefined, run: typeof itLong) => (reason ? it.skip : run);

describe("a cluster", function () {
    this.timeout(900_000);

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
            unless(clockReason, itLong),
            "clocks that jump, its controller's two minutes forward and a worker's two minutes back",
            [
                toldOf(on(controller, "clock-forward", 20), /clock is 1[0-4]\d s behind the API's/),
                on(workers[0], "clock-back"),
            ],
        ],
        [
            unless(clockReason, itLong),
            "clocks that jump, its controller's two minutes back and a worker's two minutes forward",
            [
                toldOf(on(controller, "clock-back"), /clock is 1[0-4]\d s ahead of the API's/),
                on(workers[0], "clock-forward"),
            ],
        ],
        [
            unless(clockReason, itLong),
            "a clock of its controller that jumps two hours forward, beyond the end of tokens",
            [toldOf(on(controller, "clock-hours"), /clock is 7\d{3} s behind the API's/)],
        ],
        [
            itLong,
            "a kubelet that restarts while its only kube-apiserver is dead",
            [on(controller, "kubelet-without-api")],
        ],
        [
            itLong,
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
                `      healthy after ${seconds.toFixed(1)} s; ${all} objects written, ${failures.length} refused, ` +
                    `longest gap ${longestGap} ms`,
            );
            await written.remove();
        });
    }
});
