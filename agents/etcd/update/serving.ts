import { isDeepStrictEqual } from "node:util";
import { describeError } from "../../../clients/kubernetes/api-error";
import { probe } from "../../../clients/probe";
import { waitFor } from "../../harness/wait";
import { endMember, memberProcess } from "../member/process";
import { flagsOf, isStanding } from "../member/runner";
import { killIfEnding } from "./kill-if-ending";
import { commandOf, type EtcdStaticPod } from "./manifest";
import type { Run } from "./run";
import { Trial } from "./trial";

/** A member that ends at once was Ready for a moment. */
const steadyMilliseconds = 2_000;

/**
 * Seconds after which a process with other flags is told to end.
 *
 * For another image the kubelet restarts a container by itself, for other flags it does not. One that ends before the
 * kubelet has read the manifest would start with the old flags once more: it looks every 5 seconds at the latest.
 */
const endAfter = [6, 30, 60, 90];

export interface Serving {
    /** etcd's own. @default any */
    readonly version?: string;
    /** Whether it is given up once it is known not to serve. @default false - it is waited for */
    readonly isOnTrial?: boolean;
}

/** Waits until the member serves as this static pod has it. */
export async function waitUntilServing(
    run: Run,
    pod: EtcdStaticPod,
    { version, isOnTrial = false }: Serving = {},
): Promise<void> {
    const start = performance.now();
    const pauses = [...endAfter];
    const trial = new Trial(run.plan, start);
    let steadySince: number | undefined;
    let running: number | undefined;
    let isLetWait = false;
    // Beside the looks: one that asks a member which ends may wait for its answer until it has ended.
    const guard = setInterval(() => killIfEnding(run), 100);
    const served = waitFor(run, `${run.plan.name} to serve as wanted`, async () => {
        const { seen, pid, isOther } = await look(run, pod, version);
        const now = performance.now();
        const { verdict, waits } = trial.look(pid !== undefined, seen, now);
        if (waits !== undefined && !isLetWait) {
            run.report(waits);
        }
        isLetWait = waits !== undefined;
        if (isOnTrial && verdict !== undefined) {
            throw verdict;
        }
        if (pid !== undefined && isOther && now - start >= (pauses[0] ?? Infinity) * 1000) {
            pauses.shift();
            await endMember(run.plan.directories.data, pid);
            trial.forget();
        }
        const isAnother = running !== pid;
        running = pid;
        if (seen !== undefined || isAnother) {
            steadySince = undefined;
            return waits ?? seen ?? "it serves since a moment ago";
        }
        steadySince ??= now;
        return now - steadySince >= steadyMilliseconds ? undefined : "it serves since a moment ago";
    });
    await served.finally(() => clearInterval(guard));
}

/** Whether the member runs with the flags of this static pod and is ready. @param version - etcd's own. @default any */
export async function servesAs(
    run: Pick<Run, "plan" | "client">,
    pod: EtcdStaticPod,
    version?: string,
): Promise<boolean> {
    return (await look(run, pod, version)).seen === undefined;
}

interface Look {
    /** What is amiss. */
    readonly seen?: string;
    readonly pid?: number;
    /** What runs is not what is wanted. */
    readonly isOther?: boolean;
}

async function look(
    { plan, client }: Pick<Run, "plan" | "client">,
    pod: EtcdStaticPod,
    version?: string,
): Promise<Look> {
    const running = memberProcess(plan.directories.data);
    if (running === undefined) {
        return { seen: "its process does not run" };
    }
    const { pid, flags, runner, parent } = running;
    const command = commandOf(pod);
    if (!isDeepStrictEqual(flags, flagsOf(command))) {
        return { pid, isOther: true, seen: "it runs with other flags" };
    }
    if (isStanding(command) ? runner !== "standing" : runner !== "plain") {
        // The kubelet sees to another kind of pod by itself, and the API's gives way by itself.
        return { pid, seen: runner === "pod" ? "a pod of the API runs it" : "its pod is yet to be another" };
    }
    if (runner === "standing" && !isDeepStrictEqual(parent, command)) {
        return { pid, isOther: true, seen: "its pod is yet to be another" };
    }
    const problem = await probe(`${plan.healthUrl}/readyz`);
    if (problem !== undefined) {
        return { pid, seen: problem };
    }
    if (version === undefined) {
        return { pid };
    }
    try {
        const told = await client.status(plan.clientUrl);
        // The kubelet sees to another image by itself, unless it is one of a volume.
        const isOther = runner === "standing";
        return told.version === version ? { pid } : { pid, isOther, seen: `it runs etcd ${told.version}` };
    } catch (error) {
        return { pid, seen: describeError(error) };
    }
}
