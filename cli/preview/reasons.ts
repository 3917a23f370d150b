import type { OwnedStep } from "./clusters";
import { UNKNOWN } from "./plain";
import { at } from "./workloads";

/** Whether a cloud has to stop a machine for a change of it. */
export function isResized({ type, changed }: OwnedStep): boolean {
    return type !== "command:local:Command" && changed.some((path) => path === "size" || path === "instanceType");
}

/** Why something is changed or made anew, in words: what of it is another, and which, where that is short. */
export function why({ replaces, changed, old, new: coming, type }: OwnedStep): string {
    const paths = replaces.length > 0 ? replaces : changed;
    if (type === "command:local:Command") return paths.includes("stdin") ? "what it boots with" : paths.join(", ");
    const named = paths.map((path) => {
        const [from, to] = [at(old, ...path.split(".")), at(coming, ...path.split("."))];
        const isTold = isShort(from) && isShort(to) && from !== to && to !== UNKNOWN;
        return isTold ? `${path} ${from} → ${to}` : path;
    });
    return named.join(", ") || "order";
}

function isShort(value: unknown): boolean {
    return ["string", "number", "boolean"].includes(typeof value) && String(value).length < 40;
}
