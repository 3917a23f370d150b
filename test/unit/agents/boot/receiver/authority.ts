import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Pair {
    readonly cert: string;
    readonly key: string;
}

/** A CA for the duration of a test. */
export class Authority {
    readonly #folder = mkdtempSync(join(tmpdir(), "tradewind-authority-"));

    /** @param name - its name in the certificates that it issues */
    constructor(name = "kubernetes-ca") {
        this.#key("ca");
        this.#openssl("req", "-x509", "-new", "-key", "ca.key", "-subj", `/CN=${name}`, "-days", "1", "-out", "ca.crt");
    }

    get ca(): string {
        return this.#read("ca.crt");
    }

    /** Its signing key. */
    get key(): string {
        return this.#read("ca.key");
    }

    server(dnsName: string): Pair {
        return this.#sign("/CN=server", `subjectAltName=DNS:${dnsName}\nextendedKeyUsage=serverAuth\n`);
    }

    client(group: string, user = "somebody"): Pair {
        return this.#sign(`/O=${group}/CN=${user}`, "extendedKeyUsage=clientAuth\n");
    }

    remove(): void {
        rmSync(this.#folder, { recursive: true });
    }

    #sign(subject: string, extensions: string): Pair {
        this.#key("leaf");
        writeFileSync(join(this.#folder, "leaf.ext"), extensions);
        this.#openssl("req", "-new", "-key", "leaf.key", "-subj", subject, "-out", "leaf.csr");
        const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-extfile", "leaf.ext"];
        this.#openssl("x509", "-req", "-in", "leaf.csr", ...by, "-out", "leaf.crt");
        return { cert: this.#read("leaf.crt"), key: this.#read("leaf.key") };
    }

    #key(name: string): void {
        this.#openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
    }

    #openssl(...args: string[]): void {
        execFileSync("openssl", args, { cwd: this.#folder, stdio: "pipe" });
    }

    #read(name: string): string {
        return readFileSync(join(this.#folder, name), "utf8");
    }
}
