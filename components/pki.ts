import * as pulumi from "@pulumi/pulumi";
import { administrators } from "../agents/bootstrap-receiver/assets";
import { describeEnds } from "./cluster/certificate-ends";
import { apiserverNames, etcdNames } from "./cluster/certificate-names";
import type {
    AdministratorCredentials,
    Credentials,
    JoiningCredentials,
    LastingCredentials,
} from "./cluster/credentials";
import { encryptionGenerations, encryptionKey } from "./cluster/encryption";
import { authorityName, trustedAuthorities } from "./cluster/kubernetes-authority";
import { mapValues } from "./cluster/map-values";
import type { Cluster } from "./cluster/model";
import { bootstrapToken } from "./control-plane/bootstrap-tokens";
import { type Issued, Issuer, pair } from "./issuer";
import { isKnown, whichAreKnown } from "./known";

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
    /** Those that are known in a preview when certificates of the cluster itself are issued anew. */
    readonly administrator: pulumi.Output<AdministratorCredentials>;
    /**
     * The same for the stack itself. It trusts those authorities alone that are known in a preview, which would know nothing of
     * the cluster otherwise when another one comes.
     */
    readonly access: pulumi.Output<AdministratorCredentials>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly expiry: pulumi.Output<Record<string, string>>;
}

/**
 * Certificate authorities, certificates, keys and tokens of a cluster: ECDSA P-256, secret in state and previews.
 *
 * First what machines boot with, then the rest: a cloud tells a machine's address only when it is made.
 */
export class Pki extends pulumi.ComponentResource {
    /** PEM of the Kubernetes CA certificate, or of each that is trusted. */
    readonly ca: pulumi.Output<string>;
    /** Whether a preview is of a cluster that is there, and does not have the authority yet that is to issue. */
    readonly lacksIssuer: Promise<boolean>;
    readonly #cluster: Cluster;
    readonly #issuer: Issuer;
    /** By their generations. */
    readonly #kubernetesCas: Readonly<Record<number, Issued>>;
    readonly #kubernetesCa: Issued;
    readonly #receiver?: Issued;
    readonly #bootstrapTokens: Record<string, pulumi.Output<string>>;

    constructor(name: string, args: PkiArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Pki", name, {}, opts);
        const issuer = new Issuer(name, this);
        this.#cluster = args.cluster;
        this.#issuer = issuer;
        const { keys } = args.cluster;
        const [issuing] = keys.kubernetesCa;
        this.#kubernetesCas = Object.fromEntries(
            keys.kubernetesCa.map((each) => [each, issuer.authority("kubernetes-ca", each, authorityName(each))]),
        );
        this.#kubernetesCa = this.#kubernetesCas[issuing!]!;
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
        this.ca = pulumi.all(this.#trusted()).apply(joined);
        this.lacksIssuer = this.#lacksIssuer(Object.values(this.#bootstrapTokens));
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

    /** The pool's token alone: it is known in a preview in which certificates are not. */
    tokensOf(pool: string): pulumi.Output<Pick<JoiningCredentials, "bootstrapTokens">> {
        return pulumi.secret(
            pulumi.output({ bootstrapTokens: { [pool]: this.#bootstrapTokens[pool] } }),
        ) as pulumi.Output<Pick<JoiningCredentials, "bootstrapTokens">>;
    }

    /** Issues every other certificate and key, once. */
    issue({ controllers, apiAddresses }: PkiAddresses): IssuedPki {
        const issuer = this.#issuer;
        const kubernetesCa = this.#kubernetesCa;
        const addresses = [...controllers.map(({ address }) => address), ...apiAddresses];
        const etcdCas = this.#cluster.keys.etcdCa.map((each) => issuer.authority("etcd-ca", each));
        const etcdCa = etcdCas[0]!;
        const frontProxyCas = this.#cluster.keys.frontProxyCa.map((each) => issuer.authority("front-proxy-ca", each));
        const frontProxyCa = frontProxyCas[0]!;
        const serviceAccount = this.#cluster.keys.serviceAccount.map((each) => issuer.key("service-account", each));
        const { generation } = this.#cluster.certificates;
        const { kubernetesCa: authorities } = this.#cluster.keys;
        const administrators = authorities.map((each) => this.#administrator(this.#kubernetesCas[each]!, each));
        const generations = encryptionGenerations(this.#cluster.keys);
        const leaf = {
            apiserver: issuer.leaf("kube-apiserver", kubernetesCa, {
                subject: { commonName: "kube-apiserver" },
                names: pulumi.all(addresses).apply((list) => apiserverNames(this.#cluster, list)),
                uses: ["server_auth"],
                generation,
            }),
            apiserverKubeletClient: issuer.client("kube-apiserver-kubelet-client", kubernetesCa, { generation }),
            apiserverEtcdClient: issuer.client("kube-apiserver-etcd-client", etcdCa, { generation }),
            frontProxyClient: issuer.client("front-proxy-client", frontProxyCa, { generation }),
            controllerManager: issuer.client("system:kube-controller-manager", kubernetesCa, { generation }),
            scheduler: issuer.client("system:kube-scheduler", kubernetesCa, { generation }),
            admin: administrators[0]!,
            // Its machine renews it: another one would reach nobody.
            firstKubelet: issuer.client(`system:node:${controllers[0]!.name}`, kubernetesCa, {
                organization: "system:nodes",
            }),
        };
        const etcdMembers = Object.fromEntries(
            controllers.map(({ name: node, address }) => [
                node,
                issuer.leaf(`etcd-${node}`, etcdCa, {
                    subject: { commonName: node },
                    names: pulumi.output(address).apply((member) => etcdNames(this.#cluster, node, member)),
                    uses: ["server_auth", "client_auth"],
                    generation,
                    // Two files can't be changed at once, and etcd does not start with one of each.
                    keepsKey: true,
                }),
            ]),
        );
        const lasting = pulumi.secret(
            pulumi.output({
                kubernetesCa: { ...pair(kubernetesCa), cert: this.ca },
                ...(this.#trusted().length > 1 && { kubernetesIssuer: kubernetesCa.certificate.certPem }),
                etcdCa: trusted(etcdCas),
                frontProxyCa: trusted(frontProxyCas),
                serviceAccount: {
                    publicKey: pulumi.all(serviceAccount.map(({ publicKeyPem }) => publicKeyPem)).apply(joined),
                    privateKey: serviceAccount[0]!.privateKeyPem,
                },
                ...(generations.length > 0 && {
                    encryptionKeys: Object.fromEntries(
                        generations.map((each) => [
                            each,
                            issuer.key("encryption", each).privateKeyPem.apply(encryptionKey),
                        ]),
                    ),
                }),
                ...mapValues(leaf, pair),
                etcdMembers: mapValues(etcdMembers, pair),
            }),
        ) as pulumi.Output<LastingCredentials>;
        const credentials = pulumi
            .all([lasting, pulumi.output(this.#bootstrapTokens)])
            .apply(([all, bootstrapTokens]) => ({ ...all, bootstrapTokens }));
        const accessBy = (cert: pulumi.Output<string>) =>
            pulumi.secret(
                pulumi.output({ kubernetesCa: { ...pair(kubernetesCa), cert }, admin: pair(leaf.admin) }),
            ) as pulumi.Output<AdministratorCredentials>;
        const access = accessBy(whichAreKnown(this.#trusted()).apply(joined));
        const expiry = pulumi.output(issuer.expiry);
        warnOfEnds(expiry, this);
        this.registerOutputs({ ca: this.ca, expiry });
        return { credentials, lasting, administrator: accessBy(this.ca), access, expiry };
    }

    /** One by each authority: it is there a step before it is used, so that the preview of that step can ask the cluster. */
    #administrator(ca: Issued, by: number): Issued {
        return this.#issuer.leaf(by === 1 ? "kubernetes-admin" : `kubernetes-admin-by-${by}`, ca, {
            subject: { commonName: "kubernetes-admin", organization: administrators },
            names: { dnsNames: [], ipAddresses: [] },
            uses: ["client_auth"],
            generation: this.#cluster.certificates.administrator,
        });
    }

    /** @param tokens - what is there as long as the cluster is */
    async #lacksIssuer(tokens: readonly pulumi.Output<string>[]): Promise<boolean> {
        const isThere = (await Promise.all(tokens.map(isKnown))).includes(true);
        return isThere && !(await isKnown(this.#kubernetesCa.certificate.certPem));
    }

    /** PEM of each authority that is trusted. */
    #trusted(): pulumi.Output<string>[] {
        return trustedAuthorities(this.#cluster.keys).map((each) => this.#kubernetesCas[each]!.certificate.certPem);
    }
}

/** No certificate changes with the date, so somebody has to know of it. */
function warnOfEnds(expiry: pulumi.Output<Record<string, string>>, resource: pulumi.Resource): void {
    expiry.apply((ends) => {
        const warning = describeEnds(ends, Date.now());
        return warning === undefined ? undefined : pulumi.log.warn(warning, resource);
    });
}

/** Of several authorities the first issues, and all are trusted. */
function trusted(authorities: readonly Issued[]): ReturnType<typeof pair> {
    const cert = pulumi.all(authorities.map(({ certificate }) => certificate.certPem)).apply(joined);
    return { ...pair(authorities[0]!), cert };
}

/** PEM of several, in one file. */
function joined(pems: readonly string[]): string {
    return pems.join("");
}
