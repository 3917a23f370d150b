import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Runtime } from "./container-runtime";

/** A program that answers takes milliseconds. */
const timeoutMilliseconds = 10_000;

/**
 * Has containerd and runc tell their versions, which changes nothing.
 *
 * A runc that is no static program need not run in the agent's container, and is known by its hash then: whether it does, the
 * host finds out.
 *
 * @param directory - of its programs
 * @throws Error if containerd does not: one of another architecture, or not a static one
 */
export async function askRuntime(directory: string, id: string): Promise<Runtime> {
    const ask = (name: "containerd" | "runc") => askProgram(join(directory, name), name);
    const hash = id.split("-")[1]!;
    const [containerd, runc] = await Promise.all([ask("containerd"), ask("runc").catch(() => hash)]);
    return { id, containerd, runc };
}

async function askProgram(path: string, name: string): Promise<string> {
    const options = { env: {}, timeout: timeoutMilliseconds };
    const told = await promisify(execFile)(path, ["--version"], options).catch((error: Error) => {
        throw new Error(`${name} does not tell its version: ${firstWords(error.message)}`);
    });
    const [, version] = /\bv?(\d+\.\d+\.\d+\S*)/.exec(told.stdout) ?? [];
    if (version === undefined) {
        throw new Error(`${name} does not tell its version, but ${firstWords(JSON.stringify(told.stdout))}`);
    }
    return version;
}

/** Of a program that is none there may be much. */
function firstWords(text: string): string {
    return text.replace(/\s+/g, " ").trim().slice(0, 200);
}
