import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { type Fault, faults } from "../cluster/faults";
import { type Recovery, recoveries } from "./recoveries";

/** Options of `npm run soak`. */
export interface SoakOptions {
    readonly minutes: number;
    readonly seed: number;
    readonly controllers: number;
    readonly workers: number;
    readonly faults: readonly Fault[];
    /** Losses to recover from, one after another, instead of faults. */
    readonly recoveries?: readonly Recovery[];
    readonly name: string;
    /** Number of the first sequence, from 0. */
    readonly from: number;
    /** Maximum number of sequences, regardless of time. */
    readonly sequences: number;
    /** Each fault once and alone, in order, instead of random sequences. */
    readonly isEach: boolean;
    readonly isKept: boolean;
    readonly isHelp: boolean;
}

const sizes = [1, 3, 5];

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseSoakOptions(args: readonly string[]): SoakOptions {
    const values = parse(args);
    const controllers = whole("--controllers", values.controllers, 3, 1, 5);
    if (!sizes.includes(controllers)) throw invalidOption("--controllers", "1, 3 or 5", controllers);
    return {
        minutes: whole("--minutes", values.minutes, 30, 1, 24 * 60),
        seed: whole("--seed", values.seed, Math.floor(Math.random() * 2 ** 31), 0, 2 ** 32 - 1),
        controllers,
        workers: whole("--workers", values.workers, 1, 0, 20),
        faults: chosen("--faults", faults, values.faults),
        ...(values.recover !== undefined && { recoveries: chosen("--recover", recoveries, values.recover) }),
        name: clusterName(values.name ?? "soak"),
        from: whole("--from", values.from, 0, 0, 1_000_000),
        sequences: whole("--sequences", values.sequences, 1_000_000, 1, 1_000_000),
        isEach: values.each ?? false,
        isKept: values.keep ?? false,
        isHelp: values.help ?? false,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    const boolean = { type: "boolean" } as const;
    const numbers = { minutes: string, seed: string, controllers: string, workers: string };
    const rest = {
        faults: string,
        name: string,
        recover: string,
        from: string,
        sequences: string,
        each: boolean,
        keep: boolean,
    };
    const options = { ...numbers, ...rest, help: { ...boolean, short: "h" } };
    return parseCommandLine("npm run soak -- --help", { args: [...args], options }).values;
}

function whole(option: string, text: string | undefined, otherwise: number, least: number, most: number): number {
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
        throw invalidOption(option, `a whole number from ${least} to ${most}`, text);
    }
    return value;
}

function chosen<T extends Fault | Recovery>(option: string, all: readonly T[], text = "all"): readonly T[] {
    if (text === "all") return all;
    return text.split(",").map((name) => {
        const found = all.find((each) => each.name === name);
        if (!found) throw invalidOption(option, `all, or some of ${all.map((each) => each.name).join(",")}`, name);
        return found;
    });
}

/** What `--help` shows. */
export function help(): string {
    const width = Math.max(...[...faults, ...recoveries].map(({ name }) => name.length));
    const list = (all: readonly (Fault | Recovery)[]) =>
        all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join("\n");
    return `Injects faults into a local cluster and checks that it survives them.

Usage: npm run soak -- [options]

  --minutes N      duration; a started sequence is completed                   (default 30)
  --seed S         selects faults and times: the same seed, the same sequences (default: random, and printed)
  --controllers N  1, 3 or 5                                                   (default 3)
  --workers N                                                                  (default 1)
  --faults A,B     only these                                                  (default all)
  --recover A,B    losses to recover from with tradewind recover, one after another, instead of faults; or: all
  --name NAME      name of the cluster; an existing one is used, and kept      (default soak)
  --from I         number of the first sequence: to replay one that failed     (default 0)
  --sequences N    maximum number of sequences, regardless of time
  --each           each fault once and alone, in order
  --keep           keeps a cluster created for this run
  -h, --help

Meanwhile an object counter writes up to five objects per second; every acknowledged write must exist after each
sequence and at the end. A sequence is one to three faults within 20 seconds. It ends when the cluster is healthy
again. If it does not recover, everything stops, and the cluster is kept for debugging.

Faults:
${list(faults)}

Losses to recover from:
${list(recoveries)}

`;
}
