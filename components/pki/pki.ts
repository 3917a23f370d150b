import * as pulumi from "@pulumi/pulumi";
import { administrators } from "../../agents/boot/receiver/assets";
import { snapshotKey } from "../../cluster/etcd-snapshots";
import { boundAdministrators } from "../../cluster/keys/administrator";
import { apiserverNames, describeEnds, etcdNames } from "../../cluster/keys/certificates";
import type {
    AdministratorCredentials,
    ApproverCredentials,
    JoiningCredentials,
    LastingCredentials,
} from "../../cluster/keys/credentials";
import { encryptionGenerations, encryptionKey } from "../../cluster/keys/encryption";
import type { ReadKey } from "../../cluster/keys/given";
import { caName, trustedCaGenerations } from "../../cluster/keys/kubernetes-ca";
import type { Given, GivenKind } from "../../cluster/keys/lists";
import { mapValues } from "../../cluster/manifest";
import {
    lastingToken,
    machineToken,
    placeholderToken,
    type TokenHolder,
    tokenKey,
} from "../../cluster/manifests/nodes/bootstrap-tokens";
import { nodeApproverUser } from "../../cluster/manifests/rbac";
import type { Cluster } from "../../cluster/model";
import type { ControlPlaneSecretFiles, RegistryCredentials } from "../../cluster/options";
import { isKnown, whichAreKnown } from "../pulumi/engine";
import { log } from "../pulumi/log";
import { type GivenSecrets, givenKeysOf, hasSecretFiles, registryCredentialsOf, secretFilesOf } from "./given-secrets";
import type { IssuedPki, IssuedToken, PkiAddresses } from "./issued";
import { givenKey, type Issued, Issuer, type PrivateKey, pair } from "./issuer";
import { metricsCredentials, metricsServerCredentials, type ServerIssuer } from "./servers";

export interface PkiArgs extends GivenSecrets {
    /**
     * Names of the pools, including `controller`: each has a key that its machines' bootstrap tokens are derived from.
     */
    readonly pools: readonly string[];
    /**
     * DNS name of the receiver of bootstrap assets on the first controller.
     * @default - assets are not sent over the network
     */
    readonly receiverName?: string;
}

/**
 * CAs, certificates, keys and tokens of a cluster: ECDSA P-256, secret in state and previews.
 *
 * Machine credentials are created first, the rest later: clouds assign a machine's address only when it is created.
 */
export class Pki extends pulumi.ComponentResource {
    /** PEM of the Kubernetes CA certificate, or of all trusted ones. */
    readonly ca: pulumi.Output<string>;
    /** Whether this is a preview of an existing cluster that lacks the CA that is to issue. */
    readonly lacksIssuer: Promise<boolean>;
    readonly #cluster: Cluster;
    readonly #issuer: Issuer;
    /** By generation. */
    readonly #kubernetesCas: Readonly<Record<number, Issued>>;
    readonly #kubernetesCa: Issued;
    readonly #receiver?: Issued;
    readonly #tokenKeys: Record<string, pulumi.Output<string>>;
    readonly #tokens: IssuedToken[] = [];
    #shared?: pulumi.Output<Omit<JoiningCredentials, "bootstrapToken">>;
    readonly #secretFiles: pulumi.Output<ControlPlaneSecretFiles>;
    readonly #given: pulumi.Output<Given<ReadKey>>;
    readonly #registryCredentials?: pulumi.Output<RegistryCredentials>;

    constructor(name: string, args: PkiArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Pki", name, {}, opts);
        const issuer = new Issuer(name, this);
        this.#cluster = args.cluster;
        this.#issuer = issuer;
        this.#secretFiles = secretFilesOf(args);
        this.#given = givenKeysOf(args);
        this.#registryCredentials = registryCredentialsOf(args);
        const { keys } = args.cluster;
        const [issuing] = keys.kubernetesCa;
        this.#kubernetesCas = Object.fromEntries(
            keys.kubernetesCa.map((each) => [each, this.#ca("kubernetesCa", "kubernetes-ca", each, caName(each))]),
        );
        this.#kubernetesCa = this.#kubernetesCas[issuing!]!;
        this.#tokenKeys = Object.fromEntries(
            args.pools.map((pool) => [pool, issuer.key(`token-${pool}`).privateKeyPem]),
        );
        this.#receiver = args.receiverName
            ? issuer.leaf("bootstrap-receiver", this.#kubernetesCa, {
                  subject: { commonName: args.receiverName },
                  names: { dnsNames: [args.receiverName], ipAddresses: [] },
                  uses: ["server_auth"],
                  // The machine keeps the one that it was created with: the sender accepts any that its CA has signed.
                  generation: args.cluster.certificates.generation,
              })
            : undefined;
        this.ca = pulumi.all(this.#trusted()).apply(joined);
        this.lacksIssuer = this.#lacksIssuer(Object.values(this.#tokenKeys));
    }

    /** Tokens given to machines, in order of creation. */
    get tokens(): readonly IssuedToken[] {
        return this.#tokens;
    }

    /**
     * What a machine boots with, or the machines of a pool that are created at any time. Independent of other pools.
     *
     * @param end - expiry of the token, RFC 3339: another time means another token.
     * @default - never
     */
    joiningOf(holder: TokenHolder, end?: pulumi.Output<string>): pulumi.Output<JoiningCredentials> {
        const { pool, node } = holder;
        const key = this.#tokenKeys[pool]!;
        const token = pulumi.secret(
            node !== undefined && end !== undefined
                ? pulumi.all([key, end]).apply(([privateKey, time]) => machineToken(privateKey, node, time))
                : key.apply((privateKey) => lastingToken(privateKey)),
        );
        this.#tokens.push({ ...holder, token, end });
        return this.#joining(shownToken(token));
    }

    /** The same without the token. */
    withoutToken(): pulumi.Output<JoiningCredentials> {
        return this.#joining(pulumi.output(placeholderToken));
    }

    #joining(bootstrapToken: pulumi.Output<string>): pulumi.Output<JoiningCredentials> {
        const receiver = this.#receiver;
        const registryCredentials = this.#registryCredentials;
        // The same for all machines, of which there may be many.
        this.#shared ??= pulumi.output({
            ca: this.ca,
            ...(receiver && { receiver: pair(receiver) }),
            ...(registryCredentials && { registryCredentials }),
        }) as pulumi.Output<Omit<JoiningCredentials, "bootstrapToken">>;
        const joining = pulumi.all([this.#shared, bootstrapToken]);
        return pulumi.secret(joining.apply(([shared, token]) => ({ ...shared, bootstrapToken: token })));
    }

    /** Issues all other certificates and keys, once. */
    issue({ controllers, arbiter, apiAddresses }: PkiAddresses): IssuedPki {
        const issuer = this.#issuer;
        const kubernetesCa = this.#kubernetesCa;
        const addresses = [...controllers.map(({ address }) => address), ...apiAddresses];
        const etcdCas = this.#cluster.keys.etcdCa.map((each) => this.#ca("etcdCa", "etcd-ca", each));
        const etcdCa = etcdCas[0]!;
        const frontProxyCas = this.#cluster.keys.frontProxyCa.map((each) =>
            this.#ca("frontProxyCa", "front-proxy-ca", each),
        );
        const frontProxyCa = frontProxyCas[0]!;
        const serviceAccount = this.#cluster.keys.serviceAccount.map((each) => this.#signer(each));
        const { generation } = this.#cluster.certificates;
        const own = this.#cluster.keys.kubernetesCa.map((each) => this.#ownAccess(this.#kubernetesCas[each]!, each));
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
            admin: own[0]!,
            // Its machine renews it, and a new one would not reach the machine.
            firstKubelet: issuer.client(`system:node:${controllers[0]!.name}`, kubernetesCa, {
                organization: "system:nodes",
            }),
        };
        const etcdMembers = Object.fromEntries(
            [...controllers, ...(arbiter ? [arbiter] : [])].map(({ name: node, address }) => [
                node,
                issuer.leaf(`etcd-${node}`, etcdCa, {
                    subject: { commonName: node },
                    names: pulumi.output(address).apply((member) => etcdNames(this.#cluster, node, member)),
                    uses: ["server_auth", "client_auth"],
                    generation,
                    // Two files cannot be changed atomically, and etcd does not start with a mismatched pair.
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
                ...(hasSecretFiles(this.#cluster) && { secretFiles: this.#secretFiles }),
                ...mapValues(leaf, pair),
                etcdMembers: mapValues(etcdMembers, pair),
            }),
        ) as pulumi.Output<LastingCredentials>;
        const nodeApprover = issuer.client(nodeApproverUser, kubernetesCa, { generation });
        const approver = pulumi.secret(
            pulumi.output({ kubernetesCa: { cert: this.ca }, nodeApprover: pair(nodeApprover) }),
        ) as pulumi.Output<ApproverCredentials>;
        const metrics = this.#cluster.metrics ? metricsCredentials(this.#servers()) : undefined;
        const metricsServer = this.#cluster.metricsServer
            ? metricsServerCredentials(this.#servers(), this.ca)
            : undefined;
        const credentials = pulumi
            .all([
                lasting,
                approver,
                pulumi.output(Object.fromEntries(this.#tokens.map((each) => [tokenKey(each), each.token]))),
            ])
            .apply(([all, { nodeApprover: client }, bootstrapTokens]) => ({
                ...all,
                nodeApprover: client,
                bootstrapTokens,
            }));
        const accessBy = (cert: pulumi.Output<string>, client: Issued) =>
            pulumi.secret(
                pulumi.output({ kubernetesCa: { ...pair(kubernetesCa), cert }, admin: pair(client) }),
            ) as pulumi.Output<AdministratorCredentials>;
        const access = accessBy(whichAreKnown(this.#trusted()).apply(joined), leaf.admin);
        const administrator = accessBy(this.ca, this.#administrator() ?? leaf.admin);
        const snapshotKeys = Object.fromEntries(
            this.#cluster.etcdSnapshots.keys.map((each) => [
                each,
                issuer.key("snapshot-encryption", each).privateKeyPem.apply(snapshotKey),
            ]),
        );
        const expiry = pulumi.output(issuer.expiry);
        warnOfEnds(expiry, this);
        this.registerOutputs({ ca: this.ca, expiry });
        const served = { ...(metrics && { metrics }), ...(metricsServer && { metricsServer }) };
        return {
            ...{ credentials, lasting, approver, ...served, administrator, access, expiry },
            snapshotKeys: pulumi.secret(pulumi.output(snapshotKeys)) as IssuedPki["snapshotKeys"],
        };
    }

    #ca(kind: GivenKind, name: string, generation: number, commonName = name): Issued {
        const given = this.#givenAs(kind, generation);
        return given === undefined
            ? this.#issuer.authority(name, generation, commonName)
            : this.#issuer.givenAuthority(name, generation, given);
    }

    /** Signs tokens of service accounts. */
    #signer(generation: number): PrivateKey {
        const given = this.#givenAs("serviceAccount", generation);
        return given === undefined ? this.#issuer.key("service-account", generation) : givenKey(given);
    }

    #givenAs(kind: GivenKind, generation: number): pulumi.Output<ReadKey> | undefined {
        return this.#cluster.keys.given?.[kind]?.[generation] === undefined
            ? undefined
            : this.#given.apply((all) => all[kind]![generation]!);
    }

    /** For people, apart from the stack's own. @returns undefined if they are in the same group */
    #administrator(): Issued | undefined {
        const { certificates } = this.#cluster;
        const organization = boundAdministrators(certificates);
        return organization === undefined
            ? undefined
            : this.#issuer.client("administrator", this.#kubernetesCa, {
                  organization,
                  generation: certificates.administrator,
              });
    }

    #servers(): ServerIssuer {
        const { generation } = this.#cluster.certificates;
        return { issuer: this.#issuer, kubernetesCa: this.#kubernetesCa, generation };
    }

    /**
     * What the stack itself uses, and the bootstrap before there are bindings: also to restore a deleted one.
     *
     * One for each CA: it exists a step before it is used, so that the preview of that step can connect to the cluster.
     */
    #ownAccess(ca: Issued, by: number): Issued {
        return this.#issuer.leaf(by === 1 ? "kubernetes-admin" : `kubernetes-admin-by-${by}`, ca, {
            subject: { commonName: "kubernetes-admin", organization: administrators },
            names: { dnsNames: [], ipAddresses: [] },
            uses: ["client_auth"],
            generation: this.#cluster.certificates.administrator,
        });
    }

    /** @param keys - keys that exist as long as the cluster */
    async #lacksIssuer(keys: readonly pulumi.Output<string>[]): Promise<boolean> {
        const isThere = (await Promise.all(keys.map(isKnown))).includes(true);
        return isThere && !(await isKnown(this.#kubernetesCa.certificate.certPem));
    }

    /** PEM of each trusted CA. */
    #trusted(): pulumi.Output<string>[] {
        return trustedCaGenerations(this.#cluster.keys).map((each) => this.#kubernetesCas[each]!.certificate.certPem);
    }
}

/**
 * A preview does not know a token whose lifetime has not started yet, but shows everything else that a machine boots
 * with.
 */
function shownToken(token: pulumi.Output<string>): pulumi.Output<string> {
    if (!pulumi.runtime.isDryRun()) return token;
    const known = isKnown(token).then((is) => (is ? token : pulumi.output(placeholderToken)));
    return pulumi.output(known) as pulumi.Output<string>;
}

/** Certificates are not renewed by date, so users must be warned. */
function warnOfEnds(expiry: pulumi.Output<Record<string, string>>, resource: pulumi.Resource): void {
    expiry.apply((ends) => {
        const warning = describeEnds(ends, Date.now());
        return warning === undefined ? undefined : log.warn(warning, resource);
    });
}

/** The first of several CAs issues; all are trusted. */
function trusted(authorities: readonly Issued[]): ReturnType<typeof pair> {
    const cert = pulumi.all(authorities.map(({ certificate }) => certificate.certPem)).apply(joined);
    return { ...pair(authorities[0]!), cert };
}

/** PEM of several certificates in one file. */
function joined(pems: readonly string[]): string {
    return pems.join("");
}
