const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work with a signal that is aborted on Ctrl-C or termination, so that it can clean up first. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(new BenchInterrupted());
    for (const signal of SIGNALS) {
        process.on(signal, abort);
    }
    try {
        return await work(controller.signal);
    } catch (error) {
        // Any error is then a consequence of the interruption.
        throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
        for (const signal of SIGNALS) {
            process.off(signal, abort);
        }
    }
}

class BenchInterrupted extends Error {
    /** Exit code of programs ended by Ctrl-C, by convention. */
    readonly exitCode = 130;

    constructor() {
        super("interrupted; everything created by the benchmarks was removed");
    }
}
