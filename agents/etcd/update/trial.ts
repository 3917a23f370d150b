import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Timeout } from "../../harness/wait";
import { describeBackOff } from "../member/process";
import { defaultServingSeconds, defaultSettleSeconds, type EtcdUpdatePlan, failuresUntilRevert } from "./plan";

type Place = Pick<EtcdUpdatePlan, "name" | "directories" | "servingSeconds" | "settleSeconds">;

interface Judgement {
    /** Why the member will not serve, once that is known. */
    readonly verdict?: Timeout;
    /** Set while the kubelet is backing off. */
    readonly waits?: string;
}

/**
 * Whether a member that does not serve is at fault.
 *
 * It is if it was started and exited repeatedly, or if it ran for long enough without serving. Time in which the
 * kubelet has not started it yet does not count.
 */
export class Trial {
    readonly #place: Place;
    readonly #attempts: Attempts;
    #lastLook: number;
    #spentMilliseconds = 0;

    /** Unit of all times: milliseconds of one clock. */
    constructor(place: Place, now: number) {
        const { settleSeconds = defaultSettleSeconds } = place;
        this.#place = place;
        this.#lastLook = now;
        this.#attempts = new Attempts(startsOf(place), now, settleSeconds * 1000);
    }

    judge(lives: boolean, observed: string | undefined, now: number): Judgement {
        const { name, servingSeconds = defaultServingSeconds } = this.#place;
        const { ended, waitingSince } = this.#attempts.judge(startsOf(this.#place), lives, now);
        if (waitingSince === undefined) {
            this.#spentMilliseconds += now - this.#lastLook;
        }
        this.#lastLook = now;
        if (waitingSince !== undefined) {
            const times = ended === 0 ? "" : `it exited ${ended === 1 ? "once" : `${ended} times`}; `;
            const waits = `${times}${describeBackOff((now - waitingSince) / 1000)}`;
            const isGivenUp = ended >= failuresUntilRevert;
            return { waits, ...(isGivenUp && { verdict: new Timeout(`${name} exits right after it starts`) }) };
        }
        const isOver = observed !== undefined && this.#spentMilliseconds >= servingSeconds * 1000;
        return isOver
            ? { verdict: new Timeout(`${name} did not serve within ${servingSeconds} s; last seen: ${observed}`) }
            : {};
    }

    /** Call this when it is ended on purpose. */
    forget(): void {
        this.#attempts.forget();
    }
}

function startsOf({ name, directories }: Place): string[] {
    return containerStarts(directories.podLogs, `kube-system_etcd-${name}`, "etcd");
}

/** Name of a log, rotated or not. */
const logName = /^(\d+)\.log/;

/**
 * The starts of a pod's container on its machine, each with a unique name.
 *
 * Each start has its own log, `<namespace>_<name>_<uid>/<container>/<restart count>.log`, which the runtime creates
 * right before the process. So it includes starts that ended a moment later, or that the kubelet did not notice.
 *
 * @param podLogs - `/var/log/pods`
 * @param pod - `<namespace>_<name>`, of any UID
 */
export function containerStarts(podLogs: string, pod: string, container: string): string[] {
    return namesIn(podLogs)
        .filter((folder) => folder.startsWith(`${pod}_`))
        .flatMap((folder) =>
            namesIn(join(podLogs, folder, container)).flatMap((name) => {
                const [, count] = logName.exec(name) ?? [];
                return count === undefined ? [] : [`${folder}/${count}`];
            }),
        );
}

function namesIn(folder: string): string[] {
    try {
        return readdirSync(folder);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return [];
        }
        throw error;
    }
}

/** State of a container, from the observations so far. */
interface Fate {
    /** How often it was started and exited by itself. */
    readonly ended: number;
    /** Since when it has neither run nor been started, if that is too long for a start in progress. */
    readonly waitingSince?: number;
}

/** Tracks the kubelet's attempts to run a container. Unit of all times: milliseconds of one clock. */
export class Attempts {
    readonly #settleMilliseconds: number;
    #known: ReadonlySet<string>;
    #count = 0;
    #last: number;

    /** @param starts - earlier ones, which do not count */
    constructor(starts: readonly string[], now: number, settleMilliseconds: number) {
        this.#known = new Set(starts);
        this.#last = now;
        this.#settleMilliseconds = settleMilliseconds;
    }

    /** @param starts - all of them @param lives - whether its process is running */
    judge(starts: readonly string[], lives: boolean, now: number): Fate {
        const further = starts.filter((start) => !this.#known.has(start));
        this.#known = new Set([...this.#known, ...further]);
        this.#count += further.length;
        if (further.length > 0 || lives) {
            this.#last = now;
        }
        const isSettled = now - this.#last >= this.#settleMilliseconds;
        // A new start proves that the one before it is over; the last one may be about to run.
        const ended = isSettled ? this.#count : Math.max(0, this.#count - 1);
        return { ended, ...(isSettled && { waitingSince: this.#last }) };
    }

    /** Call this when it is ended on purpose, which is not a failure. */
    forget(): void {
        this.#count = 0;
    }
}
