import { execFile } from "node:child_process";
import { basename } from "node:path";

/** A plugin that answers takes milliseconds. */
const timeoutMilliseconds = 10_000;

/**
 * Has a CNI plugin tell its versions, which changes nothing: https://www.cni.dev/docs/spec/#version-probe-plugin-version-support.
 *
 * @throws Error if it does not answer as a plugin does: one of another architecture, or half a file
 */
export async function askPlugin(path: string): Promise<void> {
    const name = basename(path);
    let answer: string;
    try {
        answer = await run(path);
    } catch (error) {
        throw new Error(`${name} does not tell its versions: ${firstWords((error as Error).message)}`);
    }
    if (!isVersions(answer)) {
        throw new Error(`${name} does not tell its versions, but ${firstWords(JSON.stringify(answer))}`);
    }
}

function run(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
        const options = { env: { CNI_COMMAND: "VERSION" }, timeout: timeoutMilliseconds };
        const child = execFile(path, options, (error, answer) => (error ? reject(error) : resolve(answer)));
        // It need not read what it is asked.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(JSON.stringify({ cniVersion: "1.0.0" }));
    });
}

function isVersions(answer: string): boolean {
    try {
        const { supportedVersions } = JSON.parse(answer);
        return Array.isArray(supportedVersions) && supportedVersions.length > 0;
    } catch {
        return false;
    }
}

/** Of a program that is none there may be much. */
function firstWords(text: string): string {
    return text.replace(/\s+/g, " ").trim().slice(0, 200);
}
