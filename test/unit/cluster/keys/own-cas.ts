import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What OpenSSL makes in an empty folder: its arguments, and the files to read. */
function made(files: readonly string[], ...commands: readonly (readonly string[])[]): string[] {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-given-"));
    try {
        for (const args of commands) execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
        return files.map((file) => readFileSync(join(folder, file), "utf8"));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const elliptic = (curve: string) => ["-newkey", "ec", "-pkeyopt", `ec_paramgen_curve:${curve}`];
const ca = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"];

/** A root CA, as a user would create it. */
export function rootCa(name: string, key: readonly string[] = elliptic("P-256"), more: readonly string[] = ca) {
    const files = ["-keyout", "ca.key", "-out", "ca.crt"];
    const self = ["req", "-x509", "-nodes", ...key, "-days", "400", "-subj", `/CN=${name}`, ...more, ...files];
    const [certificate, own] = made(["ca.crt", "ca.key"], self);
    return { certificate: certificate!, key: own! };
}

/** A CA that a root has signed, with the root's certificate. */
export function intermediateCa(name: string) {
    const root = ["req", "-x509", "-nodes", ...elliptic("P-384"), "-days", "400", "-subj", "/CN=Corporate root"];
    const request = ["req", "-nodes", ...elliptic("P-256"), "-subj", `/CN=${name}`, ...ca];
    const sign = ["x509", "-req", "-in", "ca.csr", "-CA", "root.crt", "-CAkey", "root.key", "-copy_extensions", "copy"];
    const [certificate, key, above] = made(
        ["ca.crt", "ca.key", "root.crt"],
        [...root, ...ca, "-keyout", "root.key", "-out", "root.crt"],
        [...request, "-keyout", "ca.key", "-out", "ca.csr"],
        [...sign, "-days", "300", "-out", "ca.crt"],
    );
    return { certificate: certificate!, key: key!, root: above! };
}

export const rsa = (bits: number) => ["-newkey", `rsa:${bits}`];
export const curve = elliptic;
