import { readFileSync } from "node:fs";
import { type Moved, moveClock } from "./move-clock";
import { type Clock, clockFor } from "./patches";
import { allPids, withProcess } from "./process-folder";
import { readMemory, vdsoOf } from "./vdso";

/** Whether the process of a folder of /proc is one of those whose clock is moved. */
export type Belongs = (folder: string) => boolean;

/** Milliseconds between two checks for new processes. */
const everyMilliseconds = 200;
/**
 * Number of checks until foreign processes are checked again: they take most of the time, and few move to a machine.
 */
const looks = 10;
/** Maximum time to find processes outside of their vDSO. Unit: milliseconds. */
const patience = 10_000;

/** The wall clock of some processes, and of those started later, moved by this many seconds until it is released. */
export class HeldClock {
    readonly #own: Clock;
    readonly #moved: Clock;
    readonly #atExit = () => void this.#scan(this.#own);
    readonly #others = new Set<number>();
    #timer?: NodeJS.Timeout;
    #failure?: unknown;

    private constructor(
        readonly belongs: Belongs,
        seconds: number,
    ) {
        const image = ownVdso();
        this.#own = clockFor(image, 0);
        this.#moved = clockFor(image, seconds);
    }

    /** Resolves once every existing process has it. */
    static async hold(belongs: Belongs, seconds: number): Promise<HeldClock> {
        const reason = whyNot();
        if (reason) throw new Error(reason);
        const held = new HeldClock(belongs, seconds);
        // However this process ends, except by SIGKILL.
        process.once("exit", held.#atExit);
        try {
            await until(
                () => held.#scan(held.#moved),
                ({ busy }) => busy,
            );
        } catch (error) {
            await held.stop();
            throw error;
        }
        held.#follow();
        return held;
    }

    /** Restores every process's own clock. @throws {Error} also for anything that failed since it was moved */
    async stop(): Promise<void> {
        clearTimeout(this.#timer);
        // Until none is found: a process with the moved clock may have started another one meanwhile, which inherits
        // it.
        await until(
            () => this.#scan(this.#own),
            ({ busy, moved }) => busy + moved,
        );
        process.removeListener("exit", this.#atExit);
        if (this.#failure) throw this.#failure;
    }

    #follow(look = 0): void {
        if (look % looks === 0) this.#others.clear();
        this.#timer = setTimeout(() => {
            try {
                this.#scan(this.#moved, this.#others);
            } catch (error) {
                this.#failure ??= error;
            }
            this.#follow(look + 1);
        }, everyMilliseconds).unref();
    }

    /** @param others - processes to skip; those found not to be ours are added */
    #scan(clock: Clock, others = new Set<number>()): Counted {
        const counted = { "has it": 0, moved: 0, busy: 0 };
        for (const pid of allPids()) {
            if (others.has(pid)) continue;
            const is = withProcess(pid, (folder): Moved | undefined =>
                this.belongs(folder) ? moveClock(pid, folder, clock) : undefined,
            );
            if (is) counted[is]++;
            else others.add(pid);
        }
        return counted;
    }
}

type Counted = Readonly<Record<Moved, number>>;

async function until(scan: () => Counted, left: (counted: Counted) => number): Promise<void> {
    const deadline = performance.now() + patience;
    for (let counted = scan(); left(counted) > 0; counted = scan()) {
        if (performance.now() > deadline) throw new Error(`clocks of processes not moved: ${JSON.stringify(counted)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/** Why clocks can't be moved here; undefined if they can. */
export function whyNot(): string | undefined {
    if (process.platform !== "linux" || process.arch !== "x64") {
        return `clocks are moved by code for Linux on x64, this is ${process.platform} on ${process.arch}`;
    }
    return process.getuid?.() === 0 ? undefined : "moving other processes' clocks requires root";
}

/** What every process of this kernel has: the same bytes, at its own address. */
function ownVdso(): Buffer {
    const vdso = vdsoOf("/proc/self");
    if (!vdso) throw new Error(`processes of this host have no vDSO: ${readFileSync("/proc/cmdline", "utf8")}`);
    return readMemory("/proc/self", vdso.start, vdso.end - vdso.start);
}
