import assert from "node:assert/strict";
import { isSecret } from "@pulumi/pulumi";
import type { Credentials } from "../../../../cluster/keys/credentials";
import { encryptionKey } from "../../../../cluster/keys/encryption";
import { fingerprintsOf, readGivenKeys } from "../../../../cluster/keys/given";
import type { ClusterOptions, GivenKeys } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import type { IssuedPki, PkiAddresses } from "../../../../components/pki/issued";
import { Pki } from "../../../../components/pki/pki";
import { rootCa } from "../../cluster/keys/own-cas";
import { type Deployed, deploy, resolved } from "../../deploy";
import { providerOutputs } from "../in-cluster/provider-outputs";

const options: ClusterOptions = { name: "c", domain: "example.com", controllers: { count: 3 } };
const cluster = resolveCluster(options);
const pools = ["controller", "a"];
const controllers = cluster.controllers.names.map((name, index) => ({ name, address: `10.0.0.${11 + index}` }));
const unprivilegedId = { dnsNames: [], ipAddresses: [] };

interface Created {
    readonly pki: Pki;
    readonly issued?: IssuedPki;
}

async function make(addresses?: PkiAddresses, receiverName?: string, of = cluster, givenKeys?: GivenKeys) {
    const program = (): Created => {
        const pki = new Pki("c", { cluster: of, pools, receiverName, givenKeys });
        return { pki, ...(addresses && { issued: pki.issue(addresses) }) };
    };
    const { result, resources } = await deploy(program, { outputs: providerOutputs });
    return { ...result, resources };
}

const ofType = (resources: readonly Deployed[], type: string) => resources.filter((each) => each.type.endsWith(type));

/** Requested contents of each certificate, by name. */
function requests(resources: readonly Deployed[], field: (inputs: Deployed["inputs"]) => unknown) {
    return Object.fromEntries(ofType(resources, ":CertRequest").map(({ name, inputs }) => [name, field(inputs)]));
}

/** Issuing CA and purpose of each certificate. */
function signatures(resources: readonly Deployed[]) {
    const certificates = ofType(resources, ":LocallySignedCert");
    return Object.fromEntries(
        certificates.map(({ name, inputs: { caCertPem, caPrivateKeyPem, certRequestPem, allowedUses } }) => {
            assert.equal(caPrivateKeyPem, caCertPem.replace(/cert$/, "key"), name);
            assert.equal(certRequestPem, `${name} request`);
            return [name, [caCertPem.replace(/^c-(.*) cert$/, "$1"), ...allowedUses.slice(1)].join(" ")];
        }),
    );
}

describe("CAs of the user's own", () => {
    const given: GivenKeys = {
        kubernetesCa: { 1: rootCa("kubernetes-ca") },
        etcdCa: { 2: rootCa("etcd") },
        serviceAccount: { 1: rootCa("x").key },
    };
    const keys = { etcdCa: [1, 2], given: fingerprintsOf(given) };
    const own = resolveCluster({ ...options, keys });
    const { kubernetesCa, etcdCa, serviceAccount } = readGivenKeys(given);
    const addresses = { controllers, apiAddresses: [] };

    it("issue certificates in place of the stack's, which creates no such CA", async () => {
        const { resources } = await make(addresses, undefined, own, given);
        const cas = ofType(resources, ":SelfSignedCert").map(({ name }) => name);
        assert.deepEqual(cas.sort(), ["c-etcd-ca", "c-front-proxy-ca"]);
        const issuers = new Map(
            ofType(resources, ":LocallySignedCert").map(({ name, inputs }) => [
                name,
                [inputs.caCertPem, inputs.caPrivateKeyPem],
            ]),
        );
        const { certificate, key } = kubernetesCa![1]!;
        assert.deepEqual(issuers.get("c-kube-apiserver"), [certificate, key]);
        assert.deepEqual(issuers.get("c-etcd-c-controller-0"), ["c-etcd-ca cert", "c-etcd-ca key"]);
        const privateKeys = ofType(resources, ":PrivateKey").map(({ name }) => name);
        assert.ok(!privateKeys.includes("c-service-account") && !privateKeys.includes("c-kubernetes-ca"));
    });

    it("are trusted, sign tokens and expire like the stack's, and only their keys are secret", async () => {
        const { pki, issued } = await make(addresses, undefined, own, given);
        assert.equal(await resolved(pki.ca), kubernetesCa![1]!.certificate);
        assert.equal(await isSecret(pki.ca), false);
        const credentials = await resolved(issued!.credentials);
        assert.deepEqual(credentials.kubernetesCa, {
            cert: kubernetesCa![1]!.certificate,
            key: kubernetesCa![1]!.pkcs8,
        });
        assert.equal(credentials.etcdCa.cert, `c-etcd-ca cert${etcdCa![2]!.certificate}`);
        const { key: privateKey, publicKey } = serviceAccount![1]!;
        assert.deepEqual(credentials.serviceAccount, { privateKey, publicKey });
        assert.equal(await isSecret(issued!.credentials), true);
        const expiry = await resolved(issued!.expiry);
        assert.equal(expiry["kubernetes-ca"], kubernetesCa![1]!.end);
        assert.equal(expiry["etcd-ca-2"], etcdCa![2]!.end);
        assert.equal(await isSecret(issued!.expiry), false);
    });

    it("must be the ones that the options name", async () => {
        await assert.rejects(
            make(undefined, undefined, own),
            /givenKeys\.serviceAccount\.1 must be the key with SHA-256/,
        );
    });
});

describe("what machines boot with", () => {
    it("is a CA certificate and the pool's own token, and exists before any address is known", async () => {
        const { pki, resources } = await make();
        const tokens = await Promise.all(
            pools.map(async (pool) => {
                const { ca, bootstrapToken, ...others } = await resolved(pki.joiningOf({ pool }));
                assert.equal(ca, "c-kubernetes-ca cert");
                assert.deepEqual(others, {});
                return bootstrapToken;
            }),
        );
        for (const token of tokens) assert.match(token, /^[0-9a-z]{6}\.[0-9a-z]{16}$/);
        assert.equal(new Set(tokens).size, pools.length);
        assert.deepEqual(ofType(resources, ":CertRequest"), []);
    });

    it("has no token where another one would be another machine", async () => {
        const { pki } = await make();
        assert.equal((await resolved(pki.withoutToken())).bootstrapToken, "xxxxxx.xxxxxxxxxxxxxxxx");
    });

    it("is secret, and the CA certificate is not", async () => {
        const { pki } = await make();
        assert.equal(await isSecret(pki.joiningOf({ pool: "controller" })), true);
        assert.equal(await isSecret(pki.ca), false);
    });

    it("has, where the bootstrap is brought over the network, a certificate for that name and for nothing else", async () => {
        const { pki, resources } = await make(undefined, "bootstrap.c.example.com");
        const receiver = { cert: "c-bootstrap-receiver cert", key: "c-bootstrap-receiver key" };
        assert.deepEqual((await resolved(pki.joiningOf({ pool: "controller" }))).receiver, receiver);
        const { subject, dnsNames, ipAddresses } = ofType(resources, ":CertRequest")[0]!.inputs;
        assert.deepEqual(subject, { commonName: "bootstrap.c.example.com" });
        assert.deepEqual([dnsNames, ipAddresses], [["bootstrap.c.example.com"], []]);
        assert.deepEqual(signatures(resources), { "c-bootstrap-receiver": "kubernetes-ca server_auth" });
    });
});

describe("what is issued once addresses are known", () => {
    let resources: Deployed[];
    let issued: IssuedPki;
    before(async () => {
        const created = await make({ controllers, apiAddresses: ["203.0.113.7"] });
        resources = created.resources;
        issued = created.issued!;
    });

    it("names servers by what their clients call them, and clients by nothing", () => {
        const service = "kubernetes.default.svc";
        const member = (index: number) => ({
            dnsNames: [`c-controller-${index}`, `c-controller-${index}.c.example.com`, "localhost"],
            ipAddresses: [`10.0.0.${11 + index}`, "127.0.0.1"],
        });
        assert.deepEqual(
            requests(resources, ({ dnsNames, ipAddresses }) => ({ dnsNames, ipAddresses })),
            {
                "c-kube-apiserver": {
                    dnsNames: [
                        "api.c.example.com",
                        "kubernetes",
                        "kubernetes.default",
                        service,
                        `${service}.cluster.local`,
                        "localhost",
                    ],
                    ipAddresses: ["10.3.0.1", "127.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.13", "203.0.113.7"],
                },
                "c-etcd-c-controller-0": member(0),
                "c-etcd-c-controller-1": member(1),
                "c-etcd-c-controller-2": member(2),
                "c-kube-apiserver-kubelet-client": unprivilegedId,
                "c-kube-apiserver-etcd-client": unprivilegedId,
                "c-front-proxy-client": unprivilegedId,
                "c-system-kube-controller-manager": unprivilegedId,
                "c-system-kube-scheduler": unprivilegedId,
                "c-tradewind-node-approver": unprivilegedId,
                "c-metrics-proxy": { dnsNames: ["metrics-proxy.kube-system.svc"], ipAddresses: [] },
                "c-kubernetes-admin": unprivilegedId,
                "c-administrator": unprivilegedId,
                "c-system-node-c-controller-0": unprivilegedId,
            },
        );
    });

    it("lists only names for the API if no address is given", async () => {
        const named = await make({ controllers, apiAddresses: [] });
        const { ipAddresses } = ofType(named.resources, ":CertRequest").find(({ name }) =>
            /apiserver$/.test(name),
        )!.inputs;
        assert.deepEqual(ipAddresses, ["10.3.0.1", "127.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.13"]);
    });

    it("identifies clients to the API, and makes only the stack a member of system:masters", () => {
        assert.deepEqual(
            requests(resources, ({ subject: { commonName, organization } }) =>
                [commonName, organization].filter(Boolean).join(" of "),
            ),
            {
                "c-kube-apiserver": "kube-apiserver",
                "c-etcd-c-controller-0": "c-controller-0",
                "c-etcd-c-controller-1": "c-controller-1",
                "c-etcd-c-controller-2": "c-controller-2",
                "c-kube-apiserver-kubelet-client": "kube-apiserver-kubelet-client",
                "c-kube-apiserver-etcd-client": "kube-apiserver-etcd-client",
                "c-front-proxy-client": "front-proxy-client",
                "c-system-kube-controller-manager": "system:kube-controller-manager",
                "c-system-kube-scheduler": "system:kube-scheduler",
                "c-tradewind-node-approver": "tradewind:node-approver",
                "c-metrics-proxy": "metrics-proxy",
                "c-kubernetes-admin": "kubernetes-admin of system:masters",
                "c-administrator": "administrator of tradewind:administrators",
                "c-system-node-c-controller-0": "system:node:c-controller-0 of system:nodes",
            },
        );
    });

    it("comes from the CA that its peers trust, for its purpose", () => {
        assert.deepEqual(signatures(resources), {
            "c-kube-apiserver": "kubernetes-ca server_auth",
            "c-etcd-c-controller-0": "etcd-ca server_auth client_auth",
            "c-etcd-c-controller-1": "etcd-ca server_auth client_auth",
            "c-etcd-c-controller-2": "etcd-ca server_auth client_auth",
            "c-kube-apiserver-kubelet-client": "kubernetes-ca client_auth",
            "c-kube-apiserver-etcd-client": "etcd-ca client_auth",
            "c-front-proxy-client": "front-proxy-ca client_auth",
            "c-system-kube-controller-manager": "kubernetes-ca client_auth",
            "c-system-kube-scheduler": "kubernetes-ca client_auth",
            "c-tradewind-node-approver": "kubernetes-ca client_auth",
            "c-metrics-proxy": "kubernetes-ca server_auth",
            "c-kubernetes-admin": "kubernetes-ca client_auth",
            "c-administrator": "kubernetes-ca client_auth",
            "c-system-node-c-controller-0": "kubernetes-ca client_auth",
        });
    });

    it("gives each credential its own key and certificate", async () => {
        const { serviceAccount, bootstrapTokens, etcdMembers, encryptionKeys, ...pairs } = await resolved(
            issued.credentials,
        );
        const { admin } = await resolved(issued.administrator);
        const all = [...Object.values(pairs), admin, ...Object.values(etcdMembers)] as Credentials["admin"][];
        for (const { cert, key } of all) assert.equal(cert.replace(/cert$/, "key"), key);
        assert.deepEqual(bootstrapTokens, {}, "no machine was given one");
        assert.deepEqual(encryptionKeys, { 1: encryptionKey("c-encryption key") });
        const keys = [
            ...all.map(({ key }) => key),
            "c-encryption key",
            serviceAccount.privateKey,
            (await resolved(issued.metrics!)).metricsProxy.key,
            ...pools.map((pool) => `c-token-${pool} key`),
        ];
        assert.equal(keys.length, ofType(resources, ":PrivateKey").length);
        assert.equal(new Set(keys).size, keys.length);
        assert.deepEqual(Object.keys(etcdMembers), cluster.controllers.names);
        assert.equal(pairs.apiserver.cert, "c-kube-apiserver cert");
        assert.equal(pairs.admin.cert, "c-kubernetes-admin cert");
    });

    it("is secret, and when each certificate ends is not", async () => {
        assert.equal(await isSecret(issued.credentials), true);
        assert.equal(await isSecret(issued.expiry), false);
        const certificates = [...ofType(resources, ":LocallySignedCert"), ...ofType(resources, ":SelfSignedCert")];
        assert.equal(Object.keys(await resolved(issued.expiry)).length, certificates.length);
    });

    it("keeps every key when addresses change: only certificates with addresses are reissued", async () => {
        const moved = controllers.map(({ name }, index) => ({ name, address: `10.0.0.${21 + index}` }));
        const after = (await make({ controllers: moved, apiAddresses: ["203.0.113.8"] })).resources;
        const changed = after.filter(
            ({ type, name, inputs }) =>
                JSON.stringify(inputs) !==
                JSON.stringify(resources.find((each) => each.type === type && each.name === name)?.inputs),
        );
        assert.deepEqual(
            changed.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`).sort(),
            ["etcd-c-controller-0", "etcd-c-controller-1", "etcd-c-controller-2", "kube-apiserver"].map(
                (name) => `CertRequest c-${name}`,
            ),
        );
    });
});

describe("a cluster without metrics", () => {
    it("has no certificate for them", async () => {
        const of = resolveCluster({ ...options, metrics: false });
        const { issued, resources } = await make({ controllers, apiAddresses: [] }, undefined, of);
        assert.equal(issued!.metrics, undefined);
        assert.ok(resources.every(({ name }) => !name.includes("metrics")));
    });
});

describe("certificates that are reissued", () => {
    const issue = async (certificates: ClusterOptions["certificates"]) => {
        const { resources, issued } = await make(
            { controllers, apiAddresses: [] },
            "bootstrap.c.example.com",
            resolveCluster({ ...options, certificates }),
        );
        return { resources, issued: issued! };
    };
    const namesOf = (resources: readonly Deployed[], type: string) => ofType(resources, type).map(({ name }) => name);
    const change = async (certificates: ClusterOptions["certificates"], type: string) => {
        const before = namesOf((await issue({})).resources, type);
        const after = namesOf((await issue(certificates)).resources, type);
        return {
            come: after.filter((name) => !before.includes(name)).sort(),
            go: before.filter((name) => !after.includes(name)).sort(),
        };
    };
    const withOtherKeys = [
        "c-bootstrap-receiver",
        "c-front-proxy-client",
        "c-kube-apiserver",
        "c-kube-apiserver-etcd-client",
        "c-kube-apiserver-kubelet-client",
        "c-metrics-proxy",
        "c-system-kube-controller-manager",
        "c-system-kube-scheduler",
        "c-tradewind-node-approver",
    ];
    const ofMembers = controllers.map(({ name }) => `c-etcd-${name}`);

    it("are the control plane's and the receiver's, with other keys, and etcd's, which keep theirs", async () => {
        assert.deepEqual(await change({ generation: 2 }, ":PrivateKey"), {
            come: withOtherKeys.map((name) => `${name}-2`).sort(),
            go: withOtherKeys,
        });
        const all = [...withOtherKeys, ...ofMembers].sort();
        assert.deepEqual(await change({ generation: 2 }, ":LocallySignedCert"), {
            come: all.map((name) => `${name}-2`).sort(),
            go: all,
        });
    });

    it("include no CA, and nothing that a running machine boots with", async () => {
        const { come, go } = await change({ generation: 2, administrator: 2 }, ":SelfSignedCert");
        assert.deepEqual([...come, ...go], []);
        const { resources } = await issue({ generation: 2, administrator: 2 });
        const kept = namesOf(resources, ":LocallySignedCert").filter((name) => !name.endsWith("-2"));
        assert.deepEqual(kept.sort(), ["c-system-node-c-controller-0"]);
    });

    it("can be only the administrator's and the stack's own", async () => {
        for (const type of [":PrivateKey", ":LocallySignedCert"]) {
            assert.deepEqual(await change({ administrator: 2 }, type), {
                come: ["c-administrator-2", "c-kubernetes-admin-2"],
                go: ["c-administrator", "c-kubernetes-admin"],
            });
        }
    });

    it("leave the stack its own when the administrator gets another group, so that a preview reaches the cluster", async () => {
        const administratorGroup = "system:masters";
        for (const type of [":PrivateKey", ":LocallySignedCert"]) {
            assert.deepEqual(await change({ administratorGroup }, type), { come: [], go: ["c-administrator"] });
        }
        const [one, other] = [await issue({ administratorGroup }), await issue({})];
        assert.deepEqual(await resolved(one.issued.access), await resolved(other.issued.access));
        assert.deepEqual(await resolved(one.issued.administrator), await resolved(one.issued.access));
        assert.equal((await resolved(other.issued.administrator)).admin.cert, "c-administrator cert");
    });

    it("do not change the administrator's access, and are listed under the same names", async () => {
        const { issued: before } = await issue({});
        const { issued: after } = await issue({ generation: 2 });
        assert.deepEqual(await resolved(after.administrator), await resolved(before.administrator));
        const names = async ({ expiry }: IssuedPki) => Object.keys(await resolved(expiry)).sort();
        assert.deepEqual(await names(after), await names(before));
        assert.equal((await resolved(after.credentials)).apiserver.cert, "c-kube-apiserver-2 cert");
    });
});

describe("keys of several generations", () => {
    const issue = async (keys: ClusterOptions["keys"]) => {
        const of = resolveCluster({ ...options, keys });
        const { issued, resources } = await make({ controllers, apiAddresses: [] }, undefined, of);
        return { ...(await resolved(issued!.credentials)), resources };
    };

    it("sign by the first and verify by each, and the first generation has its old name", async () => {
        assert.deepEqual((await issue({})).serviceAccount, {
            publicKey: "c-service-account public",
            privateKey: "c-service-account key",
        });
        assert.deepEqual((await issue({ serviceAccount: [2, 1] })).serviceAccount, {
            publicKey: "c-service-account-2 publicc-service-account public",
            privateKey: "c-service-account-2 key",
        });
    });

    it("of Secrets are derived from keys that are used for nothing else, and do not exist without encryption", async () => {
        const { encryptionKeys, resources } = await issue({ encryption: [2, "plain", 1] });
        assert.deepEqual(Object.keys(encryptionKeys!), ["1", "2"]);
        assert.notEqual(encryptionKeys![1], encryptionKeys![2]);
        const names = ofType(resources, ":PrivateKey").map(({ name }) => name);
        assert.deepEqual(names.filter((name) => name.includes("encryption")).sort(), [
            "c-encryption",
            "c-encryption-2",
        ]);
        assert.equal("encryptionKeys" in (await issue({ encryption: ["plain"] })), false);
    });

    it("make the CA for aggregated APIs trusted with its successors, the first of which issues", async () => {
        const { frontProxyCa, resources } = await issue({ frontProxyCa: [2, 1] });
        assert.deepEqual(frontProxyCa, {
            cert: "c-front-proxy-ca-2 certc-front-proxy-ca cert",
            key: "c-front-proxy-ca-2 key",
        });
        assert.equal(signatures(resources)["c-front-proxy-client"], "front-proxy-ca-2 client_auth");
        assert.equal(
            signatures((await issue({ frontProxyCa: [1, 2] })).resources)["c-front-proxy-client"],
            "front-proxy-ca client_auth",
        );
    });

    it("make the Kubernetes CA trusted with its successors in a fixed order, and one of them issue", async () => {
        const issuedBy = (resources: readonly Deployed[]) =>
            Object.entries(signatures(resources))
                .filter(([name]) => !/etcd|front-proxy/.test(name))
                .map(([name, by]) => `${name.replace(/^c-/, "")} ${by.split(" ")[0]}`);
        const both = await issue({ kubernetesCa: [1, 2] });
        const switched = await issue({ kubernetesCa: [2, 1] });
        const cert = "c-kubernetes-ca certc-kubernetes-ca-2 cert";
        assert.deepEqual(both.kubernetesCa, { cert, key: "c-kubernetes-ca key" });
        assert.deepEqual(switched.kubernetesCa, { cert, key: "c-kubernetes-ca-2 key" });
        assert.deepEqual(
            [both.kubernetesIssuer, switched.kubernetesIssuer],
            ["c-kubernetes-ca cert", "c-kubernetes-ca-2 cert"],
        );
        const others = [
            "administrator",
            "kube-apiserver",
            "kube-apiserver-kubelet-client",
            "metrics-proxy",
            "system-kube-controller-manager",
            "system-kube-scheduler",
            "system-node-c-controller-0",
            "tradewind-node-approver",
        ];
        for (const [resources, authority] of [
            [both.resources, "kubernetes-ca"],
            [switched.resources, "kubernetes-ca-2"],
        ] as const) {
            assert.deepEqual(
                issuedBy(resources).sort(),
                [
                    ...others.map((name) => `${name} ${authority}`),
                    "kubernetes-admin kubernetes-ca",
                    "kubernetes-admin-by-2 kubernetes-ca-2",
                ].sort(),
            );
        }
        assert.deepEqual(
            [both.admin.cert, switched.admin.cert],
            ["c-kubernetes-admin cert", "c-kubernetes-admin-by-2 cert"],
        );
        const names = ofType(both.resources, ":SelfSignedCert").map(({ inputs }) => inputs.subject.commonName);
        assert.deepEqual(
            names.filter((name) => name.startsWith("kubernetes-ca")),
            ["kubernetes-ca", "kubernetes-ca-2"],
        );
    });

    it("have only the Kubernetes CA if it is the only one", async () => {
        const { resources, ...only } = await issue({ kubernetesCa: [2] });
        assert.deepEqual(only.kubernetesCa, { cert: "c-kubernetes-ca-2 cert", key: "c-kubernetes-ca-2 key" });
        assert.equal("kubernetesIssuer" in only, false);
        assert.equal(only.admin.cert, "c-kubernetes-admin-by-2 cert");
    });

    it("make etcd's CA trusted with its successors, the first of which issues to members, which keep their keys", async () => {
        const { etcdCa, etcdMembers, resources } = await issue({ etcdCa: [2, 1] });
        assert.deepEqual(etcdCa, { cert: "c-etcd-ca-2 certc-etcd-ca cert", key: "c-etcd-ca-2 key" });
        const { "c-etcd-c-controller-0": member, "c-kube-apiserver-etcd-client": client } = signatures(resources);
        assert.deepEqual([member, client], ["etcd-ca-2 server_auth client_auth", "etcd-ca-2 client_auth"]);
        assert.equal(etcdMembers["c-controller-0"]!.key, "c-etcd-c-controller-0 key");
        assert.equal((await issue({})).etcdCa.cert, "c-etcd-ca cert");
    });
});
