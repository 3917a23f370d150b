import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../cache";
import { alternativeNames, name } from "../../../clients/x509/extensions";
import { issue, parseIssuer } from "../../../clients/x509/issue";
import { generateKey, keyIdentifier, parseKey, publicKeyInfo } from "../../../clients/x509/keys";

const years = 365 * 24 * 3_600_000;

/** The file with the CA's certificate, for images whose programs have to trust it. */
export function simulatorCaFile(): string {
    return join(cacheDir(), "simulated-authority", "ca.pem");
}

/** The CA of simulated clouds: the same for all clouds on this host, created on first use. */
export function simulatorCa(): { readonly certificate: string; readonly key: string } {
    const path = simulatorCaFile();
    const both = path.replace(/ca\.pem$/, "key-and-ca.pem");
    const [key, certificate] = readOrMake(both, () => make().join("")).split(/(?=-----BEGIN CERT)/);
    readOrMake(path, () => certificate!);
    return { key: key!, certificate: certificate! };
}

/** A key and a certificate in PEM form for some names. */
export function certificateFor(dnsNames: readonly string[], now = new Date()): string {
    const { certificate, key } = simulatorCa();
    const own = generateKey("ECDSA", { curve: "P256", rsaBits: 0 });
    const template = {
        subject: name({ commonName: "Simulated cloud" }),
        publicKey: publicKeyInfo(own),
        alternativeNames: alternativeNames({ dnsNames }),
        allowedUses: ["digital_signature", "server_auth"],
        isCa: false,
        setSubjectKeyId: true,
        notBefore: new Date(now.getTime() - 3_600_000),
        notAfter: new Date(now.getTime() + years),
    };
    const issuer = { ...parseIssuer(certificate, "authority"), key: parseKey(key, "authority") };
    return `${own.export({ type: "pkcs8", format: "pem" })}${issue(template, issuer).pem}`;
}

function make(now = new Date()): [key: string, certificate: string] {
    const key = generateKey("ECDSA", { curve: "P256", rsaBits: 0 });
    const publicKey = publicKeyInfo(key);
    const template = {
        subject: name({ commonName: "Tradewind's simulated clouds" }),
        publicKey,
        allowedUses: ["cert_signing", "crl_signing"],
        isCa: true,
        setSubjectKeyId: true,
        notBefore: new Date(now.getTime() - 3_600_000),
        notAfter: new Date(now.getTime() + 10 * years),
    };
    const { pem } = issue(template, { key, keyId: keyIdentifier(publicKey) });
    return [String(key.export({ type: "pkcs8", format: "pem" })), pem];
}

/** A file's text; the first of several concurrent writers wins. */
function readOrMake(path: string, text: () => string): string {
    try {
        return readFileSync(path, "utf8");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    mkdirSync(join(path, ".."), { recursive: true });
    const mine = `${path}.${process.pid}`;
    writeFileSync(mine, text(), { mode: 0o600 });
    try {
        linkSync(mine, path);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
        unlinkSync(mine);
    }
    return readFileSync(path, "utf8");
}
