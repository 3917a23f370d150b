import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import type { SubjectAlternativeNames } from "../../cluster/keys/certificates";
import type { KeyPair } from "../../cluster/keys/credentials";
import type { ReadKey } from "../../cluster/keys/given";

const hoursPerYear = 8766;
/** Validity of CAs. Unit: hours. */
const caHours = 10 * hoursPerYear;
/** Validity of leaf certificates. Unit: hours. They change only with an explicit rotation, never with the date. */
const leafHours = 5 * hoursPerYear;

/** A private key, created by the stack or given. */
export type PrivateKey = Pick<tls.PrivateKey, "privateKeyPem" | "privateKeyPemPkcs8" | "publicKeyPem">;

/** A key and its certificate. */
export interface Issued {
    readonly key: PrivateKey;
    readonly certificate: { readonly certPem: pulumi.Output<string> };
}

/** Contents of a certificate, and how often it has been reissued. */
export interface LeafOptions {
    readonly subject: { readonly commonName: string; readonly organization?: string };
    readonly names: pulumi.Input<SubjectAlternativeNames>;
    readonly uses: string[];
    /** Another number means another certificate, and another key unless `keepsKey`. @default 1 */
    readonly generation?: number;
    /** @default false */
    readonly keepsKey?: boolean;
}

/** Creates keys and certificates under one parent and remembers when they expire. */
export class Issuer {
    readonly expiry: Record<string, pulumi.Output<string>> = {};
    readonly #prefix: string;
    readonly #opts: pulumi.CustomResourceOptions;

    constructor(prefix: string, parent: pulumi.Resource) {
        this.#prefix = prefix;
        this.#opts = { parent };
    }

    /** @param generation - another number means another key */
    key(name: string, generation = 1): tls.PrivateKey {
        const id = this.#name(ofGeneration(name, generation));
        // Go's TLS does not accept the provider's default curve, P-224.
        return new tls.PrivateKey(id, { algorithm: "ECDSA", ecdsaCurve: "P256" }, this.#opts);
    }

    /**
     * @param generation - another number means another CA
     * @param commonName - its name in the certificates that it issues
     */
    authority(name: string, generation = 1, commonName = name): Issued {
        const own = ofGeneration(name, generation);
        const key = this.key(name, generation);
        const certificate = new tls.SelfSignedCert(
            this.#name(own),
            {
                privateKeyPem: key.privateKeyPem,
                subject: { commonName },
                isCaCertificate: true,
                setSubjectKeyId: true,
                setAuthorityKeyId: true,
                validityPeriodHours: caHours,
                allowedUses: ["cert_signing", "crl_signing", "digital_signature"],
            },
            this.#opts,
        );
        this.expiry[own] = certificate.validityEndTime;
        return { key, certificate };
    }

    /** A CA that the user gives in place of one of the same name and generation. */
    givenAuthority(name: string, generation: number, given: pulumi.Output<ReadKey>): Issued {
        this.expiry[ofGeneration(name, generation)] = pulumi.unsecret(given.apply(({ end }) => end!));
        const certPem = pulumi.unsecret(given.apply(({ certificate }) => certificate!));
        return { key: givenKey(given), certificate: { certPem } };
    }

    client(
        commonName: string,
        ca: Issued,
        { organization, generation }: { organization?: string; generation?: number } = {},
    ): Issued {
        const subject = { commonName, ...(organization && { organization }) };
        const names = { dnsNames: [], ipAddresses: [] };
        return this.leaf(commonName, ca, { subject, names, uses: ["client_auth"], generation });
    }

    leaf(name: string, ca: Issued, { subject, names, uses, generation = 1, keepsKey = false }: LeafOptions): Issued {
        const plain = name.replaceAll(":", "-");
        const id = this.#name(ofGeneration(plain, generation));
        const key = this.key(plain, keepsKey ? 1 : generation);
        const { dnsNames, ipAddresses } = pulumi.output(names);
        const request = new tls.CertRequest(
            id,
            { privateKeyPem: key.privateKeyPem, subject, dnsNames, ipAddresses },
            this.#opts,
        );
        const certificate = new tls.LocallySignedCert(
            id,
            {
                certRequestPem: request.certRequestPem,
                caPrivateKeyPem: ca.key.privateKeyPem,
                caCertPem: ca.certificate.certPem,
                validityPeriodHours: leafHours,
                allowedUses: ["digital_signature", ...uses],
            },
            this.#opts,
        );
        this.expiry[name] = certificate.validityEndTime;
        return { key, certificate };
    }

    #name(suffix: string): string {
        return `${this.#prefix}-${suffix}`;
    }
}

export function givenKey(given: pulumi.Output<ReadKey>): PrivateKey {
    return {
        privateKeyPem: given.apply(({ key }) => key),
        privateKeyPemPkcs8: given.apply(({ pkcs8 }) => pkcs8),
        publicKeyPem: pulumi.unsecret(given.apply(({ publicKey }) => publicKey)),
    };
}

/** As text, with the key in a format that every consumer reads. */
export function pair({ key, certificate }: Issued): { [K in keyof KeyPair]: pulumi.Output<string> } {
    // PKCS 8 is supported by all consumers, including service account signing.
    return { cert: certificate.certPem, key: key.privateKeyPemPkcs8 };
}

/** The first generation keeps the name from before generations existed. */
function ofGeneration(name: string, generation: number): string {
    return generation === 1 ? name : `${name}-${generation}`;
}
