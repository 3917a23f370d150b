import { command } from "../../command-line/command";
import { type Phase, phases } from "./phases";

/** `tradewind phase`: the phases of a cluster's life. */
export const program = command(
    {
        name: "tradewind phase",
        about: "Lists the phases of a cluster's life with the steps that the logs name: where each runs, what starts it, and how to run or resume it by hand.",
        options: {},
        notes: "Needs no cluster. No single step can be run: each is idempotent, so a phase that is started again continues with the step that is not done. tradewind status shows what is wrong now.",
    },
    async () => {
        console.log(phases.map(describe).join("\n\n"));
        return 0;
    },
);

function describe({ name, runs, start, byHand, steps }: Phase): string {
    const lines = [
        ["runs", runs],
        ["started by", start],
        ["by hand", byHand],
        ...(steps.length > 0 ? [["steps", steps.join(", ")]] : []),
    ];
    return [name, ...lines.map(([key, text]) => `  ${`${key}:`.padEnd(12)}${text}`)].join("\n");
}
