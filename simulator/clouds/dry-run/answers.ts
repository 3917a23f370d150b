import type { Properties } from "../../plugins/protocol/serve";
import { simulatedClouds } from "..";
import type { OnPaper } from "../shared/on-paper";

const clouds: readonly OnPaper[] = Object.values(simulatedClouds);

/** Outputs of a resource in addition to its inputs. */
export function outputsOf(type: string, name: string, inputs: Properties): Properties {
    if (type === "command:local:Command") {
        return { stdout: /^echo (.*)$/.exec(String(inputs.create))?.[1] ?? "2030-01-01T00:00:00Z" };
    }
    const number = Number(/\d+$/.exec(name)?.[0] ?? 0);
    return firstOf(clouds, ({ created }) => created[type]?.({ name, number, inputs })) ?? {};
}

/** Outputs of an updated resource that differ from its inputs. */
export function updatesOf(type: string, inputs: Properties): Properties {
    return firstOf(clouds, ({ updated }) => updated?.[type]?.(inputs)) ?? {};
}

/** A cloud's answers about existing resources. */
export function answerOf(token: string, args: Properties): Properties {
    const answer = firstOf(clouds, ({ found }) => found[token]?.(args));
    if (answer === undefined) throw new Error(`a dry run has no answer for ${token}`);
    return answer;
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
    for (const item of items) {
        const found = find(item);
        if (found !== undefined) return found;
    }
    return undefined;
}
