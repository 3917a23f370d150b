import { type Check, choice, flag, type Values, value, wholeNumber } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { faults } from "../cluster/faults";
import { recoveries } from "./recoveries";
import { describeLosses } from "./replacements";

interface Named {
    readonly name: string;
    readonly about: string;
}

function someOf<T extends Named>(all: readonly T[]): Check<readonly T[]> {
    const names = all.map(({ name }) => name);
    const read = (text: string) => {
        if (text === "all") return all;
        const chosen = text.split(",");
        return chosen.every((name) => names.includes(name))
            ? chosen.map((name) => all.find((each) => each.name === name)!)
            : undefined;
    };
    return { legal: `all, or some of ${names.join(",")}`, read };
}

/** Options of `npm run soak`. */
export const soakOptions = {
    minutes: value("N", "duration; a started sequence is completed", wholeNumber(1, 24 * 60), { default: 30 }),
    seed: value("S", "selects faults and times: the same seed, the same sequences", wholeNumber(0, 2 ** 32 - 1), {
        default: Math.floor(Math.random() * 2 ** 31),
        otherwise: "random, and printed",
    }),
    controllers: choice("N", "", [1, 3, 5], { default: 3 }),
    workers: value("N", "0 to 20", wholeNumber(0, 20), { default: 1 }),
    faults: value("A,B", "only these", someOf(faults), { default: faults, otherwise: "all" }),
    recover: value(
        "A,B",
        "losses to recover from with tradewind recover, one after another, instead of faults; or: all",
        someOf(recoveries),
    ),
    name: value("NAME", "name of the cluster; an existing one is used, and kept", CLUSTER_NAME, { default: "soak" }),
    from: value("I", "number of the first sequence: to replay one that failed", wholeNumber(0, 1_000_000), {
        default: 0,
    }),
    sequences: value("N", "maximum number of sequences, regardless of time", wholeNumber(1, 1_000_000), {
        default: 1_000_000,
    }),
    replacements: flag("candidates replace lost controllers, instead of faults: 3 controllers and 2 candidates"),
    each: flag("each fault once and alone, in order"),
    keep: flag("keeps a cluster created for this run"),
};

export type SoakOptions = Values<typeof soakOptions>;

function listed(all: readonly Named[]): string {
    const width = Math.max(...[...faults, ...recoveries].map(({ name }) => name.length));
    return all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join("\n");
}

export const soakText = {
    name: "npm run soak --",
    about: "Injects faults into a local cluster and checks that it survives them.",
    notes: `Meanwhile an object counter writes up to five objects per second; every acknowledged write must exist after each sequence and at the end. A sequence is one to three faults within 20 seconds. It ends when the cluster is healthy again. If it does not recover, everything stops, and the cluster is kept for debugging.

Faults:
${listed(faults)}

Losses to recover from:
${listed(recoveries)}

With --replacements, a random controller is lost in each round, and sometimes the candidate that takes its place loses power:
${describeLosses}`,
};
