import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Timeout } from "../../harness/wait";
import { describeBackOff } from "../member/process";
import { defaultServingSeconds, defaultSettleSeconds, type EtcdUpdatePlan, endsUntilGivenUp } from "./plan";

type Place = Pick<EtcdUpdatePlan, "name" | "directories" | "servingSeconds" | "settleSeconds">;

interface Judgement {
    /** Why the member will not serve, once that is known. */
    readonly verdict?: Timeout;
    /** That it is the kubelet who lets it wait. */
    readonly waits?: string;
}

/**
 * Whether a member that does not serve is to blame for it.
 *
 * One that was started again and again and ended is, and one that ran for long enough. A kubelet that does not start it
 * yet tells nothing of it: how long it was let wait does not count.
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

    look(lives: boolean, seen: string | undefined, now: number): Judgement {
        const { name, servingSeconds = defaultServingSeconds } = this.#place;
        const { ended, waitingSince } = this.#attempts.look(startsOf(this.#place), lives, now);
        if (waitingSince === undefined) {
            this.#spentMilliseconds += now - this.#lastLook;
        }
        this.#lastLook = now;
        if (waitingSince !== undefined) {
            const times = ended === 0 ? "" : `it ended ${ended === 1 ? "once" : `${ended} times`}; `;
            const waits = `${times}${describeBackOff((now - waitingSince) / 1000)}`;
            const isGivenUp = ended >= endsUntilGivenUp;
            return { waits, ...(isGivenUp && { verdict: new Timeout(`${name} ends as soon as it is started`) }) };
        }
        const isOver = seen !== undefined && this.#spentMilliseconds >= servingSeconds * 1000;
        return isOver
            ? { verdict: new Timeout(`${name} did not serve in ${servingSeconds} s; last seen: ${seen}`) }
            : {};
    }

    /** It is ended on purpose. */
    forget(): void {
        this.#attempts.forget();
    }
}

function startsOf({ name, directories }: Place): string[] {
    return containerStarts(directories.podLogs, `kube-system_etcd-${name}`, "etcd");
}

/** Of a log, and of what it was when it was rotated. */
const logName = /^(\d+)\.log/;

/**
 * The starts of a pod's container that its machine knows of, each by a name of its own.
 *
 * Each start has its own log, `<namespace>_<name>_<uid>/<container>/<restart count>.log`, which the runtime makes right
 * before the process: what ended a moment later, or with the kubelet not knowing, is there too.
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

/** What became of a container, by what was seen of it until now. */
interface Fate {
    /** Times that it was started and ended by itself. */
    readonly ended: number;
    /** Since when it has neither run nor been started, if that is long enough to be no start that is under way. */
    readonly waitingSince?: number;
}

/** How a container fares with its kubelet. Unit of all times: milliseconds of one clock. */
export class Attempts {
    readonly #settleMilliseconds: number;
    #known: ReadonlySet<string>;
    #count = 0;
    #last: number;

    /** @param starts - those of before, which tell nothing */
    constructor(starts: readonly string[], now: number, settleMilliseconds: number) {
        this.#known = new Set(starts);
        this.#last = now;
        this.#settleMilliseconds = settleMilliseconds;
    }

    /** @param starts - all there are @param lives - whether its process was seen */
    look(starts: readonly string[], lives: boolean, now: number): Fate {
        const further = starts.filter((start) => !this.#known.has(start));
        this.#known = new Set([...this.#known, ...further]);
        this.#count += further.length;
        if (further.length > 0 || lives) {
            this.#last = now;
        }
        const isSettled = now - this.#last >= this.#settleMilliseconds;
        // Another start shows that the one before it is over; the last one may be about to run.
        const ended = isSettled ? this.#count : Math.max(0, this.#count - 1);
        return { ended, ...(isSettled && { waitingSince: this.#last }) };
    }

    /** It is ended on purpose: that is none of its failures. */
    forget(): void {
        this.#count = 0;
    }
}
