import assert from "node:assert/strict";
import { isSecret } from "@pulumi/pulumi";
import type { Credentials } from "../../../components/cluster/credentials";
import { resolveCluster } from "../../../components/cluster/resolve";
import { type IssuedPki, Pki, type PkiAddresses } from "../../../components/pki";
import { type Deployed, deploy, resolved } from "../deploy";
import { providerOutputs } from "./provider-outputs";

const cluster = resolveCluster({ name: "c", domain: "example.com", controllers: { count: 3 } });
const pools = ["controller", "a"];
const controllers = cluster.controllers.names.map((name, index) => ({ name, address: `10.0.0.${11 + index}` }));
const nobody = { dnsNames: [], ipAddresses: [] };

interface Made {
    readonly pki: Pki;
    readonly issued?: IssuedPki;
}

async function make(addresses?: PkiAddresses, receiverName?: string) {
    const program = (): Made => {
        const pki = new Pki("c", { cluster, pools, receiverName });
        return { pki, ...(addresses && { issued: pki.issue(addresses) }) };
    };
    const { result, resources } = await deploy(program, { outputs: providerOutputs });
    return { ...result, resources };
}

const ofType = (resources: readonly Deployed[], type: string) => resources.filter((each) => each.type.endsWith(type));

/** What each certificate is asked to say, by its name. */
function requests(resources: readonly Deployed[], field: (inputs: Deployed["inputs"]) => unknown) {
    return Object.fromEntries(ofType(resources, ":CertRequest").map(({ name, inputs }) => [name, field(inputs)]));
}

/** Of each certificate, the authority whose key signs it and what it is for. */
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

describe("what machines boot with", () => {
    it("is a CA certificate and the pool's own token, and is there before any address is known", async () => {
        const { pki, resources } = await make();
        const tokens = await Promise.all(
            pools.map(async (pool) => {
                const { ca, bootstrapTokens, ...others } = await resolved(pki.joiningOf(pool));
                assert.equal(ca, "c-kubernetes-ca cert");
                assert.deepEqual(Object.keys(bootstrapTokens), [pool]);
                assert.deepEqual(others, {});
                return bootstrapTokens[pool]!;
            }),
        );
        for (const token of tokens) assert.match(token, /^[0-9a-f]{6}\.[0-9a-f]{16}$/);
        assert.equal(new Set(tokens).size, pools.length);
        assert.deepEqual(ofType(resources, ":CertRequest"), []);
    });

    it("is secret, and the CA certificate is not", async () => {
        const { pki } = await make();
        assert.equal(await isSecret(pki.joiningOf("controller")), true);
        assert.equal(await isSecret(pki.ca), false);
    });

    it("has, where the bootstrap is brought over the network, a certificate for that name and for nothing else", async () => {
        const { pki, resources } = await make(undefined, "bootstrap.c.example.com");
        const receiver = { cert: "c-bootstrap-receiver cert", key: "c-bootstrap-receiver key" };
        assert.deepEqual((await resolved(pki.joiningOf("controller"))).receiver, receiver);
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
        const made = await make({ controllers, apiAddresses: ["203.0.113.7"] });
        resources = made.resources;
        issued = made.issued!;
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
                "c-kube-apiserver-kubelet-client": nobody,
                "c-kube-apiserver-etcd-client": nobody,
                "c-front-proxy-client": nobody,
                "c-system-kube-controller-manager": nobody,
                "c-system-kube-scheduler": nobody,
                "c-kubernetes-admin": nobody,
                "c-system-node-c-controller-0": nobody,
            },
        );
    });

    it("names the API by names alone where no address is given", async () => {
        const named = await make({ controllers, apiAddresses: [] });
        const { ipAddresses } = ofType(named.resources, ":CertRequest").find(({ name }) =>
            /apiserver$/.test(name),
        )!.inputs;
        assert.deepEqual(ipAddresses, ["10.3.0.1", "127.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.13"]);
    });

    it("tells the API who each is, and makes nobody but the administrator one of system:masters", () => {
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
                "c-kubernetes-admin": "kubernetes-admin of system:masters",
                "c-system-node-c-controller-0": "system:node:c-controller-0 of system:nodes",
            },
        );
    });

    it("is each of the authority that its peers trust, for what it is used for", () => {
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
            "c-kubernetes-admin": "kubernetes-ca client_auth",
            "c-system-node-c-controller-0": "kubernetes-ca client_auth",
        });
    });

    it("gives each credential a key of its own, and each its own certificate", async () => {
        const { serviceAccount, bootstrapTokens, etcdMembers, ...pairs } = await resolved(issued.credentials);
        const all = [...Object.values(pairs), ...Object.values(etcdMembers)] as Credentials["admin"][];
        for (const { cert, key } of all) assert.equal(cert.replace(/cert$/, "key"), key);
        const keys = [...all.map(({ key }) => key), serviceAccount.privateKey, ...Object.values(bootstrapTokens)];
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

    it("keeps every key when addresses change: only what names them is asked for anew", async () => {
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
