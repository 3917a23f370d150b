import { isDeepStrictEqual } from "node:util";
import { describeError } from "../../../clients/kubernetes/api-error";
import { probe } from "../../../clients/probe";
import { waitFor } from "../../harness/wait";
import { endMember, memberProcess } from "../member/process";
import { flagsOf, isStandbyCommand } from "../member/runner";
import { commandOf, type EtcdStaticPod } from "./manifest";
import { killIfMemberEnds, type Run } from "./run";
import { Trial } from "./trial";

/** A member that exits at once was Ready for a moment. */
const steadyMilliseconds = 2_000;

const guardMilliseconds = 25;

/**
 * Seconds after which a process with outdated flags is terminated.
 *
 * The kubelet restarts a container for another name of its image by itself, but not for other flags. A member that ends before the
 * kubelet has read the manifest would restart with the old flags: the kubelet rereads it every 5 seconds at the latest.
 */
const endAfter = [6, 30, 60, 90];

export interface Serving {
    /** etcd's version. @default any */
    readonly version?: string;
    /** Whether to give up once the member is known not to serve. @default false - waits */
    readonly isOnTrial?: boolean;
}

/** Waits until the member serves as described by this static pod. */
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
    // On a timer of its own, since a request to a terminating member may hang until that has ended.
    const guard = setInterval(() => void killIfMemberEnds(run), guardMilliseconds);
    const served = waitFor(run, `${run.plan.name} to serve as desired`, async () => {
        const { observed, pid, isOther } = await observeMember(run, pod, version);
        const now = performance.now();
        const { verdict, waits } = trial.judge(pid !== undefined, observed, now);
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
        if (observed !== undefined || isAnother) {
            steadySince = undefined;
            return waits ?? observed ?? "it has served only for a moment";
        }
        steadySince ??= now;
        return now - steadySince >= steadyMilliseconds ? undefined : "it has served only for a moment";
    });
    await served.finally(() => clearInterval(guard));
}

/**
 * Whether the member runs with the flags of this static pod and is ready. @param version - etcd's version. @default any
 */
export async function servesAs(
    run: Pick<Run, "plan" | "client">,
    pod: EtcdStaticPod,
    version?: string,
): Promise<boolean> {
    return (await observeMember(run, pod, version)).observed === undefined;
}

interface Observation {
    /** Why it does not serve as desired. */
    readonly observed?: string;
    readonly pid?: number;
    /** It runs with another configuration than the desired one. */
    readonly isOther?: boolean;
}

async function observeMember(
    { plan, client }: Pick<Run, "plan" | "client">,
    pod: EtcdStaticPod,
    version?: string,
): Promise<Observation> {
    const running = memberProcess(plan.directories.data);
    if (running === undefined) {
        return { observed: "its process is not running" };
    }
    const { pid, flags, runner, parent } = running;
    const command = commandOf(pod);
    if (!isDeepStrictEqual(flags, flagsOf(command))) {
        return { pid, isOther: true, observed: "it runs with other flags" };
    }
    if (isStandbyCommand(command) ? runner !== "standby" : runner !== "plain") {
        // The kubelet replaces a static pod of another kind by itself, and API-managed pods give way by themselves.
        return { pid, observed: runner === "pod" ? "an API-managed pod runs it" : "its pod has not been replaced yet" };
    }
    if (runner === "standby" && !isDeepStrictEqual(parent, command)) {
        return { pid, isOther: true, observed: "its pod has not been replaced yet" };
    }
    const problem = await probe(`${plan.healthUrl}/readyz`);
    if (problem !== undefined) {
        return { pid, observed: problem };
    }
    if (version === undefined) {
        return { pid };
    }
    try {
        const status = await client.status(plan.clientUrl);
        // The kubelet restarts a pod for another image by itself, except for the image of a volume.
        const isOther = runner === "standby";
        return status.version === version ? { pid } : { pid, isOther, observed: `it runs etcd ${status.version}` };
    } catch (error) {
        return { pid, observed: describeError(error) };
    }
}
