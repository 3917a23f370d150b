const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Does the work with a signal that Ctrl-C or a termination aborts, and so lets it clean up after itself first. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(new BenchInterrupted());
    for (const signal of SIGNALS) {
        process.on(signal, abort);
    }
    try {
        return await work(controller.signal);
    } catch (error) {
        // Whatever went wrong then did so because of it.
        throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
        for (const signal of SIGNALS) {
            process.off(signal, abort);
        }
    }
}

class BenchInterrupted extends Error {
    /** What the shell's convention is for a program that Ctrl-C ended. */
    readonly exitCode = 130;

    constructor() {
        super("interrupted; what the benchmarks made is removed");
    }
}
