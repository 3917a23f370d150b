import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { CloudName } from "../paper/clouds";

/** A stack as an earlier commit left it: files of its engine and of its simulated account. */
export interface Recording {
    /** When it was made: RFC 3339. */
    readonly clock: string;
    /** `Pulumi.test.yaml`. */
    readonly config: string;
    /** What `pulumi stack export --show-secrets` prints: the keys of a cluster that never existed. */
    readonly state: string;
    /** The account of the simulated cloud. */
    readonly account: string;
}

/** In the place of the path from the stack's folder to the checkout, which differs from run to run. */
const CHECKOUT = "<checkout>";

export function hasRecording(cloud: CloudName): boolean {
    return existsSync(pathOf(cloud));
}

export function readRecording(cloud: CloudName, checkout: string): Recording {
    const text = brotliDecompressSync(readFileSync(pathOf(cloud))).toString("utf8");
    return JSON.parse(text.replaceAll(CHECKOUT, checkout));
}

export function writeRecording(cloud: CloudName, checkout: string, recording: Recording): void {
    mkdirSync(join(__dirname, "recorded"), { recursive: true });
    const small = { ...recording, state: withoutArchives(recording.state) };
    const text = JSON.stringify(small).replaceAll(checkout, CHECKOUT);
    // Agents' programs are in it several times, far from each other.
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(pathOf(cloud), brotliCompressSync(text, { params }));
}

/** The archive of first assets has every agent's program once more; it is other than any other commit's anyway. */
function withoutArchives(state: string): string {
    return state.replaceAll(/("stdin": \{[^}]*"plaintext": ")(?:[^"\\]|\\.){10000,}"/g, '$1\\"\\""');
}

function pathOf(cloud: CloudName): string {
    return join(__dirname, "recorded", `${cloud}.json.br`);
}
