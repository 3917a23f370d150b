import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { type Export, outputsIn, plain, recordIn } from "./stack-record";

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
    /** With secrets in plain text. */
    readonly exported: Export;
}

/** The output with a machine's public address, by resource type. */
const publicAddress: Readonly<Record<string, string>> = {
    "aws:ec2/instance:Instance": "publicIp",
    "digitalocean:index/droplet:Droplet": "ipv4Address",
};

/** Uses the `pulumi` on PATH, which must be logged in to the stack's backend. */
export async function readCloudStack(stack: string): Promise<CloudStack> {
    const args = ["stack", "export", "--show-secrets", "--non-interactive", "--stack", stack];
    try {
        const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: 256 * 2 ** 20 });
        return cloudStackIn(JSON.parse(stdout), stack);
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
    return {
        name,
        record,
        ...(typeof kubeconfig === "string" && { kubeconfig }),
        addresses: { ...record.machines, ...Object.fromEntries(outputs) },
        hasOtherNodes: resources.some(({ type }) => type === "aws:autoscaling/group:Group"),
        exported,
    };
}
