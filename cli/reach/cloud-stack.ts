import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RecoveryRecord } from "../../cluster/recovery";
import { type Export, outputsIn, plain, recordIn } from "./stack-record";

/** A cluster on a cloud, as its stack's state has it. */
export interface CloudStack {
    /** Of the stack. */
    readonly name: string;
    readonly record: RecoveryRecord;
    /** Administrator's. @default there is none yet */
    readonly kubeconfig?: string;
    /** Where each controller can be reached from outside, by its name. */
    readonly addresses: Readonly<Record<string, string>>;
    /** Whether there are machines whose names the stack does not know: those of Auto Scaling groups. */
    readonly hasOtherNodes: boolean;
    /** With its secrets in plain text. */
    readonly exported: Export;
}

/** Where machines have their public addresses, by the type of the resource. */
const publicAddress: Readonly<Record<string, string>> = {
    "aws:ec2/instance:Instance": "publicIp",
    "digitalocean:index/droplet:Droplet": "ipv4Address",
};

/** Asks the `pulumi` on PATH, which is logged in to the stack's backend. */
export async function readCloudStack(stack: string): Promise<CloudStack> {
    const args = ["stack", "export", "--show-secrets", "--non-interactive", "--stack", stack];
    try {
        const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: 256 * 2 ** 20 });
        return cloudStackIn(JSON.parse(stdout), stack);
    } catch (error) {
        const { code, stderr, message } = error as Error & { code?: unknown; stderr?: string };
        if (code === "ENOENT") throw new Error("there is no pulumi on PATH, which --stack needs");
        if (stderr === undefined) throw error;
        throw new Error(`pulumi stack export failed: ${(stderr || message).trim()}`);
    }
}

/** @param exported with its secrets in plain text */
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
