import { jsonWith } from "../../harness/state-file";

/** One event of the bootstrap agent's stage log. */
export interface Stage {
    readonly time: string;
    readonly step: string;
    readonly event: "start" | "done" | "retry" | "failed";
    readonly seconds?: number;
    readonly message?: string;
}

/** A step that fails this often in a row will keep failing: steps wait for transient problems themselves. */
const mostFailures = 10;

/**
 * Progress of a bootstrap, from the lines of its stage log.
 *
 * An agent that was restarted begins with the first step again, so finished steps must not hide the one that failed.
 */
export class BootstrapProgress {
    readonly #since: number;
    readonly #failed = new Map<string, { readonly times: number; readonly message?: string }>();
    #last?: Stage;

    /** @param since - milliseconds since 1970. Earlier failures do not count: an earlier `up` reported them */
    constructor(since: number) {
        this.#since = since;
    }

    take(stage: Stage | undefined): void {
        if (stage === undefined) return;
        const { step, event, message, time } = stage;
        this.#last = stage;
        if (event === "done") this.#failed.delete(step);
        if (event === "failed") {
            const { times = 0 } = this.#failed.get(step) ?? {};
            this.#failed.set(step, { times: times + (Date.parse(time) >= this.#since ? 1 : 0), message });
        }
    }

    get isHopeless(): boolean {
        return [...this.#failed.values()].some(({ times }) => times >= mostFailures);
    }

    /** The current step and its last message; empty if it has not begun. */
    describe(): string {
        const said = (message?: string) => (message ? `: ${message}` : "");
        const [failure] = [...this.#failed].reverse();
        if (failure !== undefined) {
            const [step, { times, message }] = failure;
            return `, step ${step} failed${times > 1 ? ` ${times} times` : ""}${said(message)}`;
        }
        if (this.#last === undefined) return "";
        const { step, event, message } = this.#last;
        return event === "done"
            ? `, nothing was logged after step ${step}`
            : `, step ${step} is not done${said(message)}`;
    }
}

/** Undefined for half a line or noise, which a power cut may leave. */
export function parseStage(line: string): Stage | undefined {
    try {
        return jsonWith<Stage>("step")(line);
    } catch {
        return undefined;
    }
}
