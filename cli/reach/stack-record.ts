import type { RecoveryRecord } from "../../cluster/recovery";
import { pulumi } from "../../local/pulumi";
import type { ClusterState } from "../../local/state";

/** How Pulumi marks a secret in an export. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** What the cluster's component left in the stack's state, which may be all that is left of the cluster. */
export async function stackRecord(state: ClusterState): Promise<RecoveryRecord> {
    return recordIn(await stackExport(state), state.name);
}

/** The stack's state, with its secrets in plain text. */
export async function stackExport(state: ClusterState): Promise<Export> {
    return JSON.parse(await pulumi(state, ["stack", "export", "--show-secrets"]));
}

/** What `pulumi stack export` prints, as much of it as is read. */
export interface Export {
    readonly deployment?: {
        readonly resources?: readonly {
            readonly type: string;
            readonly urn?: string;
            readonly outputs?: Record<string, unknown>;
        }[];
    };
}

/** The record in an export of the state, with its secrets in plain text. */
export function recordIn(exported: Export, name: string): RecoveryRecord {
    const record = outputsIn(exported)?.recovery as RecoveryRecord | undefined;
    if (record === undefined) {
        throw new Error(
            `the state of the stack ${name} must tell how to recover the cluster, and does not: an older version wrote ` +
                "it, or its first pulumi up did not get far enough. pulumi up writes it, whatever else fails",
        );
    }
    return record;
}

/** What the cluster's component gives back, in an export with its secrets in plain text. */
export function outputsIn({ deployment }: Export): Record<string, unknown> | undefined {
    const all = (deployment?.resources ?? []).map(({ outputs }) => outputs);
    return plain(all.find((outputs) => outputs?.recovery !== undefined)) as Record<string, unknown> | undefined;
}

/** A value without the marks of secrets. */
export function plain(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(plain);
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    if (SECRET in value) {
        return plain(JSON.parse((value as unknown as { plaintext: string }).plaintext));
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
