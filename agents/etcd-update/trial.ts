import { describeBackOff } from "../common/back-off";
import { containerStarts } from "../common/container-starts";
import { Timeout } from "../common/wait";
import { Attempts } from "./attempts";
import { defaultServingSeconds, defaultSettleSeconds, type EtcdUpdatePlan, endsUntilGivenUp } from "./plan";

type Place = Pick<EtcdUpdatePlan, "name" | "directories" | "servingSeconds" | "settleSeconds">;

export interface Judgement {
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
