import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Runtime } from "./container-runtime";
import { runtimePrograms } from "./layout";

/** A program that answers takes milliseconds. */
const timeoutMilliseconds = 10_000;

/**
 * Has each program of a container runtime tell its version, which changes nothing.
 *
 * @param directory - of its programs
 * @throws Error if one does not: one of another architecture, or half a file
 */
export async function askRuntime(directory: string, id: string): Promise<Runtime> {
    const [containerd, , , runc] = await Promise.all(
        runtimePrograms.map((name) => askProgram(join(directory, name), name)),
    );
    return { id, containerd: containerd!, runc: runc! };
}

async function askProgram(path: string, name: string): Promise<string> {
    // The shim has no other flag.
    const flag = name === "containerd-shim-runc-v2" ? "-v" : "--version";
    const options = { env: {}, timeout: timeoutMilliseconds };
    const told = await promisify(execFile)(path, [flag], options).catch((error: Error) => {
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
