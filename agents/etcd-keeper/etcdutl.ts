import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What `etcdutl snapshot status` finds in a snapshot, having read every key of it. */
export interface SnapshotStatus {
    readonly revision: number;
    readonly keys: number;
}

/** @throws what etcdutl says of a file that is no store of etcd */
export async function snapshotStatus(etcdutl: string, path: string): Promise<SnapshotStatus> {
    const { revision, totalKey } = JSON.parse(await runEtcdutl(etcdutl, ["snapshot", "status", path, "-w", "json"]));
    return { revision, keys: totalKey };
}

export async function runEtcdutl(etcdutl: string, args: readonly string[]): Promise<string> {
    try {
        return (await promisify(execFile)(etcdutl, args, { maxBuffer: 16 << 20 })).stdout;
    } catch (error) {
        const { stderr, message } = error as Error & { stderr?: string };
        throw new Error(`etcdutl ${args.slice(0, 2).join(" ")}: ${lastLine(stderr) ?? message}`, { cause: error });
    }
}

function lastLine(text = ""): string | undefined {
    return text.trim().split("\n").at(-1) || undefined;
}
