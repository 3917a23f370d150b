import type { CloudName } from "../../cluster/clouds";
import type { StackConfig } from "../../local/stack-config";
import { verified } from "./clouds";
import type { Question } from "./clouds/facts";

/** On every cloud. */
const questions: readonly Question[] = [
    {
        question: "Do the images of machines and containers, and the machine types, exist under their names?",
        step: "ready",
    },
];

/** The part of a run's result that answers them. */
interface Tried {
    readonly cloud: CloudName;
    readonly config: StackConfig;
    readonly steps: readonly { readonly name: string; readonly outcome: string; readonly detail?: string }[];
}

/** The questions with what a run says about them. */
export function answers({ cloud, config, steps }: Tried): readonly (readonly [question: string, answer: string])[] {
    return [...questions, ...verified[cloud].questions].map(({ question, step, isTried = () => true, how }) => {
        const doneStep = step && isTried(config) ? steps.find(({ name }) => name === step) : undefined;
        const detail = doneStep?.detail ? `: ${doneStep.detail}` : "";
        if (doneStep?.outcome === "passed") return [question, `yes${detail}`];
        if (doneStep?.outcome === "failed") return [question, `no, or \`${step}\` failed for another reason${detail}`];
        return [question, `not tried${how ? `: needs ${how}` : ""}`];
    });
}
