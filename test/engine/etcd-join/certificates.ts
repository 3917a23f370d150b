import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SubjectAlternativeNames } from "../../../cluster/keys/certificates";
import type { KeyPair } from "../../../cluster/keys/credentials";

/** A CA that issues the certificates of etcd's members: one each, for server and client. */
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
        this.#openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", "leaf.key", "-out", "leaf.csr");
        return { cert: this.#sign({ dnsNames, ipAddresses }), key: this.#read("leaf.key") };
    }

    /** Another certificate for an existing key. */
    renew(name: string, key: string, { dnsNames, ipAddresses }: SubjectAlternativeNames = localhost): string {
        writeFileSync(join(this.#folder, "leaf.key"), key);
        this.#openssl("req", "-new", "-key", "leaf.key", "-subj", `/CN=${name}`, "-out", "leaf.csr");
        return this.#sign({ dnsNames, ipAddresses });
    }

    remove(): void {
        rmSync(this.#folder, { recursive: true });
    }

    #sign({ dnsNames, ipAddresses }: SubjectAlternativeNames): string {
        const names = [...dnsNames.map((dns) => `DNS:${dns}`), ...ipAddresses.map((ip) => `IP:${ip}`)];
        writeFileSync(
            join(this.#folder, "extensions"),
            `subjectAltName=${names.join(",")}\nextendedKeyUsage=serverAuth,clientAuth\n`,
        );
        const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "extensions"];
        this.#openssl("x509", "-req", "-in", "leaf.csr", ...by, "-out", "leaf.crt");
        return this.#read("leaf.crt");
    }

    #openssl(...args: string[]): void {
        execFileSync("openssl", args, { cwd: this.#folder, stdio: "pipe" });
    }

    #read(name: string): string {
        return readFileSync(join(this.#folder, name), "utf8");
    }
}

const localhost: SubjectAlternativeNames = { dnsNames: ["localhost"], ipAddresses: [] };
const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
