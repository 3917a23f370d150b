import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestCertificates {
    readonly ca: string;
    readonly server: { readonly cert: string; readonly key: string };
    readonly admin: { readonly cert: string; readonly key: string };
    /** From a CA that is not trusted. */
    readonly stranger: { readonly cert: string; readonly key: string };
}

let made: TestCertificates | undefined;

/** A CA with a server and an administrator, made once per test run. */
export function certificates(): TestCertificates {
    made ??= make();
    return made;
}

function make(): TestCertificates {
    const directory = mkdtempSync(join(tmpdir(), "tradewind-certificates-"));
    try {
        selfSigned(directory, "ca");
        selfSigned(directory, "stranger");
        return {
            ca: readFileSync(join(directory, "ca.crt"), "utf8"),
            server: signed(directory, "server", "/CN=kube-apiserver", "subjectAltName=IP:127.0.0.1"),
            admin: signed(directory, "admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth"),
            stranger: pair(directory, "stranger"),
        };
    } finally {
        rmSync(directory, { recursive: true });
    }
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function selfSigned(directory: string, name: string): void {
    openssl(directory, [
        "req",
        "-x509",
        ...newKey,
        "-days",
        "2",
        "-subj",
        `/CN=${name}`,
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.crt`,
    ]);
}

function signed(directory: string, name: string, subject: string, extension: string) {
    openssl(directory, ["req", ...newKey, "-subj", subject, "-keyout", `${name}.key`, "-out", `${name}.csr`]);
    writeFileSync(join(directory, `${name}.ext`), extension);
    const authority = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"];
    openssl(directory, [
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        ...authority,
        "-days",
        "2",
        "-extfile",
        `${name}.ext`,
        "-out",
        `${name}.crt`,
    ]);
    return pair(directory, name);
}

function pair(directory: string, name: string) {
    const read = (extension: string) => readFileSync(join(directory, `${name}.${extension}`), "utf8");
    return { cert: read("crt"), key: read("key") };
}

function openssl(cwd: string, args: readonly string[]): void {
    execFileSync("openssl", args, { cwd, stdio: "pipe" });
}
