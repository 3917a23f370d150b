import type { GenericSchema } from "valibot";
import { planProblems, text } from "../../agents/harness/plan";
import { printableLine } from "../../clients/printable";

export const digestText = text("sha256: and 64 hexadecimal digits", /^sha256:[0-9a-f]{64}$/);

/** What another program wrote. @param what - it is, for errors. @throws if it is not of the schema: names the first field that is wrong */
export function readJson<Value>(what: string, json: string, schema: GenericSchema<unknown, Value>): Value {
    const value = parsed(json);
    if (typeof value !== "object" || value === null) {
        const got = printableLine(json.trim().slice(0, 100)) || "nothing";
        throw new Error(`${what} must be a JSON object (got ${got})`);
    }
    const [problem] = planProblems(value, schema);
    if (problem !== undefined) throw new Error(`${what}: ${problem}`);
    return value as Value;
}

function parsed(json: string): unknown {
    try {
        return JSON.parse(json);
    } catch {
        return undefined;
    }
}
