import * as v from "valibot";
import { type Caller, patch } from "../../../clients/kubernetes/api-client";
import { ifFound, isNotFound } from "../../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { object, text, texts } from "../../harness/plan";

/**
 * ConfigMap of kube-system with the machines that an administrator lets join, though the stack did not create them:
 * a {@link JoinedMachine} as JSON by node name. It is created with the first one. The stack leaves it alone.
 */
export const joinedMachines = "joined-machines";

const configMaps = "/api/v1/namespaces/kube-system/configmaps";
const path = `${configMaps}/${joinedMachines}`;

const schema = object({
    pool: text(),
    /** Its addresses, which its kubelet's serving certificate may have. */
    addresses: texts(),
    /** ID of its bootstrap token. */
    token: text(),
    /** When the token expires: RFC 3339. */
    expires: text(),
    /** Hash of the public key of the machine that used the token. No other key can use it. @default - it is unused */
    key: v.optional(text()),
    /** When it used it: RFC 3339. @default - it is unused */
    joined: v.optional(text()),
    /** When it left the cluster: RFC 3339. Then nothing but its Node and this entry is left. @default - it has not */
    reset: v.optional(text()),
});

export type JoinedMachine = v.InferOutput<typeof schema>;

/** Entry of a machine that was given up: until another token is issued for its name, its kubelet may not register. */
export interface RemovedMachine {
    /** RFC 3339. */
    readonly removed: string;
}

/** By node name. */
export type JoinedMachines = Readonly<Record<string, JoinedMachine>>;

export interface JoinedRecord {
    readonly machines: JoinedMachines;
    /** @default - there is no ConfigMap yet */
    readonly resourceVersion?: string;
}

/** @returns those with a whole entry: no other may join */
export function parseJoined({ data = {} }: Pick<ConfigMap, "data">): JoinedMachines {
    const entries = Object.entries(data).flatMap(([node, text]) => {
        const entry = v.safeParse(schema, parse(text));
        return entry.success ? [[node, entry.output] as const] : [];
    });
    return Object.fromEntries(entries);
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

export async function readJoined(api: Caller): Promise<JoinedRecord> {
    const config = await ifFound(api.call<ConfigMap>(path));
    if (config === undefined) return { machines: {} };
    const { resourceVersion } = config.metadata;
    return { machines: parseJoined(config), ...(resourceVersion && { resourceVersion }) };
}

/**
 * Changes entries.
 *
 * @param machines - null removes one
 * @param resourceVersion - fails if the record has changed since. @default - any version
 */
export async function writeJoined(
    api: Caller,
    machines: Readonly<Record<string, JoinedMachine | RemovedMachine | null>>,
    resourceVersion?: string,
): Promise<void> {
    const data = Object.fromEntries(
        Object.entries(machines).map(([node, machine]) => [node, machine && JSON.stringify(machine)]),
    );
    try {
        await patch(api, path, "merge", { ...(resourceVersion && { metadata: { resourceVersion } }), data });
    } catch (error) {
        if (!isNotFound(error) || resourceVersion !== undefined) throw error;
        const metadata = { name: joinedMachines, namespace: "kube-system" };
        await api.call(configMaps, { method: "POST", body: { apiVersion: "v1", kind: "ConfigMap", metadata, data } });
    }
}
