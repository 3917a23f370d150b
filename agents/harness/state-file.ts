import { readFileSync } from "node:fs";

const reported = new Set<string>();

/**
 * Reads a file in which an agent or its machine keeps state. A power cut or a disk may leave it empty, short or with other
 * bytes. Then it counts as missing, which is logged once.
 *
 * @param parse - throws if the text is not what the agent writes
 */
export function readState<State>(
    path: string,
    parse: (text: string) => State,
    log: (line: string) => void = console.log,
): State | undefined {
    try {
        const state = parse(readFileSync(path, "utf8"));
        reported.delete(path);
        return state;
    } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ENOENT") return undefined;
        if (!reported.has(path)) log(`${path} is damaged and counts as missing: ${message.split("\n")[0]}`);
        reported.add(path);
        return undefined;
    }
}

/** For `readState`: a JSON object with a text in this field. */
export function jsonWith<State extends object>(field: keyof State & string): (text: string) => State {
    return (text) => {
        const state = jsonObject<State>(text);
        if (typeof state[field] !== "string") throw new Error(`it must have the field ${field}`);
        return state;
    };
}

/** For `readState`: a JSON object. */
export function jsonObject<State extends object>(text: string): State {
    const state: unknown = JSON.parse(text);
    if (typeof state !== "object" || state === null || Array.isArray(state))
        throw new Error("it must be a JSON object");
    return state as State;
}
