import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { allClouds } from "../../cluster/clouds";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { pulumi } from "../../local/pulumi";
import { hasStack, latestOf } from "../../local/stack";
import type { ClusterState } from "../../local/state";
import { mendBackend } from "../../local/up";

/** Pulumi's marker of a secret in an export. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** The cluster's recovery record in the stack's state, which may be all that is left of the cluster. */
export async function stackRecord(state: ClusterState): Promise<RecoveryRecord> {
    return recordIn(await stackExport(state), state.name);
}

/** The stack's state, with secrets in plain text. A power cut that stopped the cluster may have damaged its file, too. */
export async function stackExport(state: ClusterState): Promise<Export> {
    mendBackend(state, (line) => process.stderr.write(`${line}\n`));
    // Pulumi would not say which file is damaged.
    if (hasStack(state)) latestOf(state);
    return parseExport(await pulumi(state, ["stack", "export", "--show-secrets"]));
}

/** The output of `pulumi stack export`. JSON.parse's own message would quote it, and it has secrets. */
export function parseExport(text: string): Export {
    try {
        const exported: Export | null = JSON.parse(text);
        if (Array.isArray(exported?.deployment?.resources ?? [])) return exported ?? {};
    } catch {
        // Something else has written to standard output.
    }
    throw new Error("pulumi stack export must print the state as JSON, and nothing else");
}

/** The parts of the output of `pulumi stack export` that are used. */
export interface Export {
    readonly deployment?: {
        readonly resources?: readonly {
            readonly type: string;
            readonly urn?: string;
            /** It was replaced, and is still to be deleted. */
            readonly delete?: boolean;
            readonly inputs?: Record<string, unknown>;
            readonly outputs?: Record<string, unknown>;
        }[];
    };
}

/** The recovery record in an export with plain-text secrets. */
export function recordIn(exported: Export, name: string): RecoveryRecord {
    const record = outputsIn(exported)?.recovery as RecoveryRecord | undefined;
    if (record === undefined) {
        throw new Error(
            `the state of the stack ${name} has no recovery record: ` +
                "the first pulumi up failed too early. Run pulumi up to write it, even if other steps fail",
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
        const { plaintext } = value as unknown as { plaintext?: string };
        if (plaintext === undefined) throw new Error("a secret of the stack's state is still encrypted");
        return plain(JSON.parse(plaintext));
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** A cloud cluster according to its stack's state. */
export interface CloudStack {
    /** Name of the stack. */
    readonly name: string;
    readonly record: RecoveryRecord;
    /** The administrator's kubeconfig. @default there is none yet */
    readonly kubeconfig?: string;
    /** Public or known addresses of the controllers, by name. */
    readonly addresses: Readonly<Record<string, string>>;
    /** Whether there are machines whose names are not in the stack: those of Auto Scaling groups. */
    readonly hasOtherNodes: boolean;
    /** AWS region of its Auto Scaling groups. @default it has none */
    readonly groupRegion?: string;
    /** With secrets in plain text. */
    readonly exported: Export;
}

/** The output with a machine's public address, by resource type. */
const publicAddress: Readonly<Record<string, string>> = Object.fromEntries(
    allClouds.map(({ machine }) => [machine.type, machine.publicAddress]),
);

/** Uses the `pulumi` on PATH, which must be logged in to the stack's backend. */
export async function readCloudStack(stack: string): Promise<CloudStack> {
    const args = ["stack", "export", "--show-secrets", "--non-interactive", "--stack", stack];
    try {
        const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: 256 * 2 ** 20 });
        return cloudStackIn(parseExport(stdout), stack);
    } catch (error) {
        const { code, stderr, message } = error as Error & { code?: unknown; stderr?: string };
        if (code === "ENOENT") throw new Error("--stack requires pulumi on PATH");
        if (stderr === undefined) throw error;
        throw new Error(`pulumi stack export failed: ${(stderr || message).trim()}`);
    }
}

/** @param exported - with secrets in plain text */
export function cloudStackIn(exported: Export, name: string): CloudStack {
    const record = recordIn(exported, name);
    const resources = exported.deployment?.resources ?? [];
    const outputs = resources.flatMap(({ type, urn = "", outputs: all = {} }) => {
        const output = publicAddress[type];
        const address = output && plain(all[output]);
        return typeof address === "string" && address !== "" ? [[urn.slice(urn.lastIndexOf("::") + 2), address]] : [];
    });
    const { kubeconfig } = outputsIn(exported) ?? {};
    const groups = resources.filter(({ type }) => allClouds.some(({ group }) => group === type));
    // arn:aws:autoscaling:eu-central-1:123456789012:autoScalingGroup:…
    const groupRegion = groups.map(({ outputs }) => String(plain(outputs?.arn)).split(":")[3]).find(Boolean);
    return {
        name,
        record,
        ...(typeof kubeconfig === "string" && { kubeconfig }),
        addresses: { ...record.machines, ...Object.fromEntries(outputs) },
        hasOtherNodes: groups.length > 0,
        ...(groupRegion && { groupRegion }),
        exported,
    };
}
