import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import { apiserverNames, etcdNames, type SubjectAlternativeNames } from "./cluster/certificate-names";
import type { Credentials, JoiningCredentials, KeyPair, LastingCredentials } from "./cluster/credentials";
import { mapValues } from "./cluster/map-values";
import type { Cluster } from "./cluster/model";
import { bootstrapToken } from "./control-plane/bootstrap-tokens";

const hoursPerYear = 8766;
/** Validity of the certificate authorities. Unit: hours. */
const caHours = 10 * hoursPerYear;
/** Validity of leaf certificates. Unit: hours. They change only with an explicit rotation, never with the date. */
const leafHours = 5 * hoursPerYear;

export interface PkiArgs {
    readonly cluster: Cluster;
    /** Names of the pools, `controller` among them: each has a bootstrap token. */
    readonly pools: readonly string[];
    /**
     * DNS name of what takes the bootstrap's assets on the first controller.
     * @default - they are not brought over the network
     */
    readonly receiverName?: string;
}

/** Where a cluster's servers are. */
export interface PkiAddresses {
    /** The controllers, by name and address. */
    readonly controllers: readonly { readonly name: string; readonly address: pulumi.Input<string> }[];
    /** Further addresses of the API, such as a load balancer's. */
    readonly apiAddresses: readonly pulumi.Input<string>[];
}

/** What is issued once the addresses are known. */
export interface IssuedPki {
    readonly credentials: pulumi.Output<Credentials>;
    /** Those that are known in a preview when a pool comes. */
    readonly lasting: pulumi.Output<LastingCredentials>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly expiry: pulumi.Output<Record<string, string>>;
}

/**
 * Certificate authorities, certificates, keys and tokens of a cluster: ECDSA P-256, secret in state and previews.
 *
 * First what machines boot with, then the rest: a cloud tells a machine's address only when it is made.
 */
export class Pki extends pulumi.ComponentResource {
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: pulumi.Output<string>;
    readonly #cluster: Cluster;
    readonly #issuer: Issuer;
    readonly #kubernetesCa: Issued;
    readonly #receiver?: Issued;
    readonly #bootstrapTokens: Record<string, pulumi.Output<string>>;

    constructor(name: string, args: PkiArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Pki", name, {}, opts);
        const issuer = new Issuer(name, this);
        this.#cluster = args.cluster;
        this.#issuer = issuer;
        this.#kubernetesCa = issuer.authority("kubernetes-ca");
        this.#bootstrapTokens = Object.fromEntries(
            args.pools.map((pool) => [pool, issuer.key(`token-${pool}`).privateKeyPem.apply(bootstrapToken)]),
        );
        this.#receiver = args.receiverName
            ? issuer.leaf("bootstrap-receiver", this.#kubernetesCa, {
                  subject: { commonName: args.receiverName },
                  names: { dnsNames: [args.receiverName], ipAddresses: [] },
                  uses: ["server_auth"],
              })
            : undefined;
        this.ca = this.#kubernetesCa.certificate.certPem;
    }

    /** What machines of a pool boot with; what another pool brings has no part in it. */
    joiningOf(pool: string): pulumi.Output<JoiningCredentials> {
        const receiver = this.#receiver;
        return pulumi.secret(
            pulumi.output({
                ca: this.ca,
                bootstrapTokens: { [pool]: this.#bootstrapTokens[pool] },
                ...(receiver && { receiver: pair(receiver) }),
            }),
        ) as pulumi.Output<JoiningCredentials>;
    }

    /** Issues every other certificate and key, once. */
    issue({ controllers, apiAddresses }: PkiAddresses): IssuedPki {
        const issuer = this.#issuer;
        const kubernetesCa = this.#kubernetesCa;
        const addresses = [...controllers.map(({ address }) => address), ...apiAddresses];
        const etcdCa = issuer.authority("etcd-ca");
        const frontProxyCa = issuer.authority("front-proxy-ca");
        const serviceAccount = issuer.key("service-account");
        const leaf = {
            apiserver: issuer.leaf("kube-apiserver", kubernetesCa, {
                subject: { commonName: "kube-apiserver" },
                names: pulumi.all(addresses).apply((list) => apiserverNames(this.#cluster, list)),
                uses: ["server_auth"],
            }),
            apiserverKubeletClient: issuer.client("kube-apiserver-kubelet-client", kubernetesCa),
            apiserverEtcdClient: issuer.client("kube-apiserver-etcd-client", etcdCa),
            frontProxyClient: issuer.client("front-proxy-client", frontProxyCa),
            controllerManager: issuer.client("system:kube-controller-manager", kubernetesCa),
            scheduler: issuer.client("system:kube-scheduler", kubernetesCa),
            admin: issuer.client("kubernetes-admin", kubernetesCa, "system:masters"),
            firstKubelet: issuer.client(`system:node:${controllers[0]!.name}`, kubernetesCa, "system:nodes"),
        };
        const etcdMembers = Object.fromEntries(
            controllers.map(({ name: node, address }) => [
                node,
                issuer.leaf(`etcd-${node}`, etcdCa, {
                    subject: { commonName: node },
                    names: pulumi.output(address).apply((member) => etcdNames(this.#cluster, node, member)),
                    uses: ["server_auth", "client_auth"],
                }),
            ]),
        );
        const lasting = pulumi.secret(
            pulumi.output({
                kubernetesCa: pair(kubernetesCa),
                etcdCa: pair(etcdCa),
                frontProxyCa: pair(frontProxyCa),
                serviceAccount: { publicKey: serviceAccount.publicKeyPem, privateKey: serviceAccount.privateKeyPem },
                ...mapValues(leaf, pair),
                etcdMembers: mapValues(etcdMembers, pair),
            }),
        ) as pulumi.Output<LastingCredentials>;
        const credentials = pulumi
            .all([lasting, pulumi.output(this.#bootstrapTokens)])
            .apply(([all, bootstrapTokens]) => ({ ...all, bootstrapTokens }));
        const expiry = pulumi.output(issuer.expiry);
        this.registerOutputs({ ca: this.ca, expiry });
        return { credentials, lasting, expiry };
    }
}

interface Issued {
    readonly key: tls.PrivateKey;
    readonly certificate: { readonly certPem: pulumi.Output<string> };
}

/** Makes keys and certificates under one parent and remembers when they end. */
class Issuer {
    readonly expiry: Record<string, pulumi.Output<string>> = {};
    readonly #prefix: string;
    readonly #opts: pulumi.CustomResourceOptions;

    constructor(prefix: string, parent: pulumi.Resource) {
        this.#prefix = prefix;
        this.#opts = { parent };
    }

    key(name: string): tls.PrivateKey {
        // The provider's own default curve, P-224, is not one that Go's TLS accepts.
        return new tls.PrivateKey(this.#name(name), { algorithm: "ECDSA", ecdsaCurve: "P256" }, this.#opts);
    }

    authority(name: string): Issued {
        const key = this.key(name);
        const certificate = new tls.SelfSignedCert(
            this.#name(name),
            {
                privateKeyPem: key.privateKeyPem,
                subject: { commonName: name },
                isCaCertificate: true,
                setSubjectKeyId: true,
                setAuthorityKeyId: true,
                validityPeriodHours: caHours,
                allowedUses: ["cert_signing", "crl_signing", "digital_signature"],
            },
            this.#opts,
        );
        this.expiry[name] = certificate.validityEndTime;
        return { key, certificate };
    }

    client(commonName: string, ca: Issued, organization?: string): Issued {
        const subject = { commonName, ...(organization && { organization }) };
        return this.leaf(commonName, ca, { subject, names: { dnsNames: [], ipAddresses: [] }, uses: ["client_auth"] });
    }

    leaf(
        name: string,
        ca: Issued,
        {
            subject,
            names,
            uses,
        }: {
            subject: { commonName: string; organization?: string };
            names: pulumi.Input<SubjectAlternativeNames>;
            uses: string[];
        },
    ): Issued {
        const id = this.#name(name.replaceAll(":", "-"));
        const key = this.key(name.replaceAll(":", "-"));
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

function pair({ key, certificate }: Issued): { [K in keyof KeyPair]: pulumi.Output<string> } {
    // PKCS 8 is what every consumer reads, service account signing included.
    return { cert: certificate.certPem, key: key.privateKeyPemPkcs8 };
}
