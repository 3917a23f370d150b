import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { pulumi } from "../../local/pulumi";
import type { ClusterState } from "../../local/state";

/** Pulumi's marker of a secret in an export. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** The cluster's recovery record in the stack's state, which may be all that is left of the cluster. */
export async function stackRecord(state: ClusterState): Promise<RecoveryRecord> {
    return recordIn(await stackExport(state), state.name);
}

/** The stack's state, with secrets in plain text. */
export async function stackExport(state: ClusterState): Promise<Export> {
    return JSON.parse(await pulumi(state, ["stack", "export", "--show-secrets"]));
}

/** The parts of the output of `pulumi stack export` that are used. */
export interface Export {
    readonly deployment?: {
        readonly resources?: readonly {
            readonly type: string;
            readonly urn?: string;
            readonly outputs?: Record<string, unknown>;
        }[];
    };
}

/** The recovery record in an export with plain-text secrets. */
export function recordIn(exported: Export, name: string): RecoveryRecord {
    const record = outputsIn(exported)?.recovery as RecoveryRecord | undefined;
    if (record === undefined) {
        throw new Error(
            `the state of the stack ${name} has no recovery record: it was written by an older version, ` +
                "or the first pulumi up failed too early. Run pulumi up to write it, even if other steps fail",
        );
    }
    return record;
}

/** The outputs of the cluster's component, in an export with plain-text secrets. */
export function outputsIn({ deployment }: Export): Record<string, unknown> | undefined {
    const all = (deployment?.resources ?? []).map(({ outputs }) => outputs);
    return plain(all.find((outputs) => outputs?.recovery !== undefined)) as Record<string, unknown> | undefined;
}

/** A value without markers of secrets. */
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
