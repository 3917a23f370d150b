import * as v from "valibot";
import type { ConfigMap } from "../../../clients/kubernetes/objects";

/** ConfigMap of kube-system with the machines under repair. The stack creates it without data, which the agent writes. */
export const repairsConfig = "machine-repairs";

/** Key of its data with the {@link Repairs}, as JSON. */
export const repairsKey = "repairs.json";

/** Key of its data with what a repair waits for. Missing if there is none. */
export const waitsKey = "waits";

const states = ["restarting", "replacing", "manual", "recovered"] as const;

const repair = v.object({
    /** Of the Node: another one of its name starts without a history. */
    uid: v.string(),
    /** `manual`: only a person can repair it. `recovered`: it is Ready, and its restarts still count. */
    state: v.picklist(states),
    /** When it became that: RFC 3339. */
    since: v.string(),
    /** In a few words: `not Ready for 5 min`. */
    why: v.string(),
    /** Restarts since it was last healthy for hours. */
    restarts: v.number(),
    /** The cloud has accepted the restart or replacement. @default false */
    isRequested: v.optional(v.boolean()),
    /** Why the cloud refused it the last time. @default - it did not */
    problem: v.optional(v.string()),
});

export const repairsSchema = v.object({
    /** By node name. */
    machines: v.record(v.string(), repair),
    /** Machines replaced recently: they count although their Nodes no longer exist. */
    replaced: v.array(v.object({ pool: v.string(), at: v.string() })),
});

export type Repair = Readonly<v.InferOutput<typeof repair>>;

export interface Repairs {
    readonly machines: Readonly<Record<string, Repair>>;
    readonly replaced: readonly { readonly pool: string; readonly at: string }[];
}

/** Throws if it cannot be read: then nothing is repaired. */
export function readRepairs({ data = {} }: Pick<ConfigMap, "data">): Repairs {
    const text = data[repairsKey];
    if (text === undefined) return { machines: {}, replaced: [] };
    try {
        return v.parse(repairsSchema, JSON.parse(text));
    } catch (error) {
        throw new Error(`${repairsKey} cannot be read: ${(error as Error).message}`);
    }
}
