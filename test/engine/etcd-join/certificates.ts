import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SubjectAlternativeNames } from "../../../components/cluster/certificate-names";
import type { KeyPair } from "../../../components/cluster/credentials";

/** A certificate authority that issues what etcd's members are given: one certificate to serve and to ask with. */
export class EtcdAuthority {
    readonly #folder = mkdtempSync(join(tmpdir(), "tradewind-etcd-ca-"));
    /** PEM. */
    readonly ca: string;

    constructor() {
        this.#openssl(
            "req",
            "-x509",
            ...newKey,
            "-days",
            "2",
            "-subj",
            "/CN=etcd-ca",
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
        );
        this.ca = this.#read("ca.crt");
    }

    issue(name: string, { dnsNames, ipAddresses }: SubjectAlternativeNames): KeyPair {
        const names = [...dnsNames.map((dns) => `DNS:${dns}`), ...ipAddresses.map((ip) => `IP:${ip}`)];
        writeFileSync(
            join(this.#folder, "extensions"),
            `subjectAltName=${names.join(",")}\nextendedKeyUsage=serverAuth,clientAuth\n`,
        );
        this.#openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", "leaf.key", "-out", "leaf.csr");
        const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "extensions"];
        this.#openssl("x509", "-req", "-in", "leaf.csr", ...by, "-out", "leaf.crt");
        return { cert: this.#read("leaf.crt"), key: this.#read("leaf.key") };
    }

    remove(): void {
        rmSync(this.#folder, { recursive: true });
    }

    #openssl(...args: string[]): void {
        execFileSync("openssl", args, { cwd: this.#folder, stdio: "pipe" });
    }

    #read(name: string): string {
        return readFileSync(join(this.#folder, name), "utf8");
    }
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
