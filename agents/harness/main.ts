import { InvalidPlan } from "./plan";

type ErrorClass = new (...args: never[]) => Error;

interface Options {
    /** The last line of the log on SIGTERM and SIGINT, after the signal's name: what becomes of the work. */
    readonly onSignal: string;
    /** Errors that the log already explains. @default - none */
    readonly logged?: readonly ErrorClass[];
    /** Errors whose message explains them; of others the stack is logged. @default - invalid plans alone */
    readonly explained?: readonly ErrorClass[];
}

/**
 * The whole of an agent's `main.ts`: runs it with the arguments of the command line, logs the text that it resolves to, and exits with
 * 0, or with 1 on an error.
 */
export function runAgent(run: (...args: string[]) => Promise<unknown>, options: Options): void {
    const { onSignal, logged = [], explained = [InvalidPlan] } = options;
    endOnSignals(onSignal);
    const isOneOf = (error: Error, classes: readonly ErrorClass[]) => classes.some((each) => error instanceof each);
    run(...process.argv.slice(2)).then(
        (result) => {
            if (typeof result === "string") console.log(result);
            process.exit(0);
        },
        (error: Error) => {
            if (!isOneOf(error, logged)) console.error(isOneOf(error, explained) ? error.message : error);
            process.exit(1);
        },
    );
}

/** Exits on SIGTERM and SIGINT: the first process of a container ignores signals without a handler. */
export function endOnSignals(lastWords: string): void {
    for (const [signal, code] of [["SIGTERM", 143] as const, ["SIGINT", 130] as const]) {
        process.on(signal, () => {
            console.log(`ended by ${signal}; ${lastWords}`);
            process.exit(code);
        });
    }
}
