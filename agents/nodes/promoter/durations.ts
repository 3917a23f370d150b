import type { Observed, Scene } from "./observed";

/** Seconds between two observations: a longer gap, such as a suspended machine, proves nothing of the time between. */
const mostGap = 20;

/** For how long facts have been observed without interruption. */
export class Durations {
    readonly #since = new Map<string, number>();
    #last = Number.NEGATIVE_INFINITY;

    /**
     * Notes what is the case now. Everything else ends.
     *
     * @param now - seconds of a monotonic clock
     */
    note(facts: readonly string[], now: number): void {
        if (now - this.#last > mostGap) this.#since.clear();
        this.#last = now;
        for (const fact of [...this.#since.keys()]) {
            if (!facts.includes(fact)) this.#since.delete(fact);
        }
        for (const fact of facts) {
            if (!this.#since.has(fact)) this.#since.set(fact, now);
        }
    }

    /** Seconds; 0 if it is not the case. */
    of(fact: string): number {
        return this.#last - (this.#since.get(fact) ?? this.#last);
    }
}

/** For how long nodes have been lost, and on their way to another role. */
export class NodeDurations {
    readonly #silent = new Durations();
    readonly #stages = new Durations();

    /** @param now - seconds of a monotonic clock */
    note(scene: Scene, now: number): Pick<Observed, "lostSeconds" | "stageSeconds"> {
        const joining = scene.withRole("joining");
        // From when its member stopped answering: Kubernetes marks its Node about 40 seconds later.
        const silent = [...scene.withRole("controller"), ...joining].filter((name) => scene.isSilent(name));
        this.#silent.note(silent, now);
        const lost = silent.filter((name) => scene.isLost(name));
        const stageOf = (name: string) => `${name} ${scene.role(name)} ${scene.recorded(name)?.since ?? ""}`;
        const changing = [...scene.withRole("leaving"), ...joining];
        this.#stages.note(changing.map(stageOf), now);
        return {
            lostSeconds: Object.fromEntries(lost.map((name) => [name, this.#silent.of(name)])),
            stageSeconds: Object.fromEntries(changing.map((name) => [name, this.#stages.of(stageOf(name))])),
        };
    }
}
