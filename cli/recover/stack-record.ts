import type { RecoveryRecord } from "../../components/cluster/recovery";
import { pulumi } from "../pulumi-cli";
import type { ClusterState } from "../state";

/** How Pulumi marks a secret in an export. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** What the cluster's component left in the stack's state, which may be all that is left of the cluster. */
export async function stackRecord(state: ClusterState): Promise<RecoveryRecord> {
    return recordIn(JSON.parse(await pulumi(state, ["stack", "export", "--show-secrets"])), state.name);
}

interface Export {
    readonly deployment?: {
        readonly resources?: readonly { readonly type: string; readonly outputs?: Record<string, unknown> }[];
    };
}

/** The record in an export of the state, with its secrets in plain text. */
export function recordIn({ deployment }: Export, name: string): RecoveryRecord {
    const outputs = (deployment?.resources ?? []).map((resource) => resource.outputs?.recovery);
    const record = plain(outputs.find((each) => each !== undefined)) as RecoveryRecord | undefined;
    if (record === undefined) {
        throw new Error(
            `the state of the stack ${name} must tell how to recover the cluster, and does not: an older version wrote ` +
                "it, or its first pulumi up did not get far enough. pulumi up writes it, whatever else fails",
        );
    }
    return record;
}

function plain(value: unknown): unknown {
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
