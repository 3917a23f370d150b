import { setTimeout as sleep } from "node:timers/promises";
import { replaceOutput } from "../../clients/printable";
import { InvalidPlan } from "./plan";

type ErrorClass = new (...args: never[]) => Error;

interface Options {
    /** The last line of the log on SIGTERM and SIGINT, after the signal's name: what becomes of the work. */
    readonly onSignal: string;
    /** Errors that the log already explains. @default - none */
    readonly logged?: readonly ErrorClass[];
    /** Errors whose message explains them; of others the stack is logged. @default - invalid plans alone */
    readonly explained?: readonly ErrorClass[];
    /** @default - its message */
    readonly explain?: (error: Error) => string;
    /** Where errors are logged. With two streams a container runtime may log the later line first. @default console.error */
    readonly log?: (line: unknown) => void;
    /** @default 1 */
    readonly exitCode?: (error: Error) => number;
}

/**
 * The whole of an agent's `main.ts`: runs it with the arguments of the command line, logs the text that it resolves to, and exits with
 * 0, or with 1 on an error. On SIGTERM and SIGINT it exits at once: the first process of a container ignores signals without a handler.
 */
export function runAgent(run: (...args: string[]) => Promise<unknown>, options: Options): void {
    const { onSignal, logged = [], explained = [InvalidPlan], explain = ({ message }) => message } = options;
    const { log = console.error, exitCode = () => 1 } = options;
    // Logs quote what nodes and pods wrote, and are read in terminals.
    replaceOutput();
    for (const [signal, code] of [["SIGTERM", 143] as const, ["SIGINT", 130] as const]) {
        process.on(signal, () => {
            console.log(`ended by ${signal}; ${onSignal}`);
            process.exit(code);
        });
    }
    const isOneOf = (error: Error, classes: readonly ErrorClass[]) => classes.some((each) => error instanceof each);
    run(...process.argv.slice(2)).then(
        (result) => {
            if (typeof result === "string") console.log(result);
            process.exit(0);
        },
        (error: Error) => {
            if (!isOneOf(error, logged)) log(isOneOf(error, explained) ? explain(error) : error);
            process.exit(exitCode(error));
        },
    );
}

/** Node and UID of the pod that the agent runs in. */
export function ownPod(): { readonly nodeName: string; readonly ownUid: string } {
    const { NODE_NAME: nodeName = "", POD_UID: ownUid = "" } = process.env;
    if (nodeName === "" || ownUid === "") {
        throw new InvalidPlan("NODE_NAME and POD_UID must be those of the node and of this pod");
    }
    return { nodeName, ownUid };
}

/** Reconciles until the process is stopped. */
export async function repeat(everyMilliseconds: number, reconcile: (round: number) => Promise<void>): Promise<never> {
    for (let round = 0; ; round++) {
        await reconcile(round);
        await sleep(everyMilliseconds);
    }
}
