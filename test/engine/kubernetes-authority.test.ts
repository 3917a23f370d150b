import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Identity, kubeletClientFile } from "../../agents/nodes/node-agent/kubelet/identity";
import { ApiClient, type Credentials, readKubeconfig } from "../../clients/kubernetes/api-client";
import { type ApiError, ifFound } from "../../clients/kubernetes/api-error";
import {
    accessProblem,
    caName,
    caProblems,
    readerProblems,
    trustedCaGenerations,
} from "../../cluster/keys/kubernetes-ca";
import { firstKeys, keysAnnotations } from "../../cluster/keys/lists";
import { fieldManager } from "../../cluster/manifest";
import { type CredentialHolder, credentialFiles } from "../../cluster/manifests/control-plane/secrets";
import { rbacManifests } from "../../cluster/manifests/rbac";
import { resolveCluster } from "../../cluster/resolve";
import { runningCas } from "../../components/upgrade/running-cas";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { request } from "../../simulator/plugins/tls/cert-request";
import { Authority } from "../unit/agents/boot/receiver/authority";
import { fakeCredentials, fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { binary } from "./kubernetes-fixture/binaries";
import { Program } from "./kubernetes-fixture/process";
import { until } from "./until";

const node = "c-a-0";
const kubelet = { commonName: `system:node:${node}`, organization: "system:nodes" };
const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

describe("a rotation of the Kubernetes CA, step by step, with a real kube-apiserver", function () {
    this.timeout(180_000);
    let authorities: Authority[];
    let folder: string;
    let server: ApiServer;
    let api: ApiClient;
    let url: string;
    let testCa: string;
    let manager: Program | undefined;
    const authorityOf = (generation: number) => authorities[generation - 1]!;
    const path = (name: string) => join(folder, name);

    const filesOf = (kubernetesCa: readonly number[], holder: CredentialHolder) => {
        const cluster = resolveCluster({ name: "c", keys: { kubernetesCa: [...kubernetesCa] } });
        const issuer = authorityOf(kubernetesCa[0]!);
        const cert = trustedCaGenerations({ kubernetesCa }).map((each) => authorityOf(each).ca);
        return credentialFiles(cluster, holder, {
            ...fakeCredentials(cluster),
            kubernetesCa: { cert: cert.join(""), key: issuer.key },
            ...(cert.length > 1 && { kubernetesIssuer: issuer.ca }),
            apiserver: issuer.server("localhost"),
        });
    };
    /** How the stack accesses the API with a list of CAs. */
    const accessBy = (kubernetesCa: readonly number[]): Credentials => ({
        ca: filesOf(kubernetesCa, "kube-apiserver")["ca.crt"]!,
        ...authorityOf(kubernetesCa[0]!).client("system:masters", "kubernetes-admin"),
        servername: "localhost",
    });
    const userOf = async (credentials: Credentials): Promise<string> => {
        const client = new ApiClient(url, () => ({ servername: "localhost", ...credentials }));
        const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
        const { status } = await client.call<{ status: { userInfo: { username: string } } }>(whoAmI, {
            method: "POST",
            body,
            isFresh: true,
        });
        return status.userInfo.username;
    };
    /** The error for a list that cannot be used yet. */
    const refusalOf = async (kubernetesCa: readonly number[]) => {
        const { keys } = resolveCluster({ name: "c", keys: { kubernetesCa: [...kubernetesCa] } });
        return userOf(accessBy(kubernetesCa)).then(
            () => "none",
            (error) => accessProblem({ keys }, error) ?? String(error),
        );
    };
    const write = (name: string, text: string) => {
        writeFileSync(path(name), text, { mode: 0o600 });
        return path(name);
    };
    /** Restarts kube-apiserver and kube-controller-manager with the Secrets of a list. */
    const step = async (kubernetesCa: readonly number[]) => {
        const files = filesOf(kubernetesCa, "kube-apiserver");
        const shown = ["apiserver.crt", "apiserver.key"].map((name) => write(name, files[name]!));
        // At its own address the server stays unchanged, for the other tests.
        await server.replaceApi({ "client-ca-file": { name: "client-ca.crt", text: files["ca.crt"]! + testCa } }, [
            `--tls-sni-cert-key=${shown.join(",")}`,
        ]);
        api.reconnect();
        await manager?.stop();
        const { "issuing-ca.crt": issuing, ...signs } = filesOf(kubernetesCa, "kube-controller-manager");
        manager = new Program(
            binary("kube-controller-manager"),
            [
                `--kubeconfig=${write("kubeconfig", server.kubeconfig)}`,
                "--controllers=certificatesigningrequest-approving-controller,certificatesigningrequest-signing-controller,root-ca-certificate-publisher-controller",
                `--cluster-signing-cert-file=${write("issuing.crt", issuing ?? signs["ca.crt"]!)}`,
                `--cluster-signing-key-file=${write("issuing.key", signs["ca.key"]!)}`,
                `--root-ca-file=${write("root-ca.crt", signs["ca.crt"]!)}`,
                "--leader-elect=false",
                "--secure-port=0",
            ],
            path("kube-controller-manager.log"),
        );
        manager.start();
        await until("the CAs to be published", async () => {
            const published = await ifFound(
                api.call<{ data: { "ca.crt": string } }>("/api/v1/namespaces/default/configmaps/kube-root-ca.crt"),
            );
            write("published.crt", published?.data["ca.crt"] ?? "");
            return published?.data["ca.crt"] === signs["ca.crt"];
        });
    };
    const identity = (...kubernetesCa: number[]) =>
        new Identity(
            {
                authorities: kubernetesCa.map(caName),
                issuer: caName(kubernetesCa[0]!),
                asksForServer: false,
                apiServer: url,
                directory: path("pki"),
            },
            path("published.crt"),
            node,
        );
    /** Kubelets keep a certificate and its key in one file. */
    const kubeletAccess = (kubeconfig: string): Credentials => {
        const { clusters, users } = JSON.parse(readFileSync(path(`pki/${kubeconfig}`), "utf8"));
        const pem = readFileSync(users[0].user["client-certificate"], "utf8");
        return { ca: readFileSync(clusters[0].cluster["certificate-authority"], "utf8"), cert: pem, key: pem };
    };
    /** Requests a certificate as a new kubelet does, with its `bootstrap-kubeconfig`. */
    const bootstrap = async () => {
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const pem = request(kubelet, { dnsNames: [], ipAddresses: [], uris: [] }, privateKey);
        const asking = new ApiClient(url, () => ({
            ...kubeletAccess("bootstrap-kubeconfig"),
            servername: "localhost",
        }));
        const body = {
            metadata: { name: "renewal" },
            spec: {
                request: Buffer.from(pem).toString("base64"),
                signerName: "kubernetes.io/kube-apiserver-client-kubelet",
                usages: ["digital signature", "client auth"],
            },
        };
        await asking.call(requests, { method: "POST", body });
        asking.reconnect();
        await until("a certificate", async () => {
            const { status } = await api.call<{ status: { certificate?: string } }>(`${requests}/renewal`);
            const cert = Buffer.from(status.certificate ?? "", "base64").toString();
            const key = privateKey.export({ type: "pkcs8", format: "pem" });
            if (cert !== "") give(`${cert}${key}`);
            return cert !== "";
        });
    };
    const give = (pem: string) => {
        const kept = write(`pki/kubelet-client-${process.hrtime.bigint()}.pem`, pem);
        rmSync(path(`pki/${kubeletClientFile}`), { force: true });
        symlinkSync(kept, path(`pki/${kubeletClientFile}`));
    };
    const apply = (object: object) => server.cluster.apply(object as KubernetesObject, { fieldManager, force: false });

    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-authority-"));
        mkdirSync(path("pki"));
        authorities = [1, 2].map((generation) => new Authority(caName(generation)));
        server = await ApiServer.start();
        const { server: address, credentials } = readKubeconfig(server.kubeconfig);
        [url, testCa] = [address, credentials.ca];
        api = new ApiClient(url, () => credentials);
        for (const manifest of rbacManifests(fixedCluster({ certificates: { kubeletRenewal: "any" } })))
            await apply(manifest);
        await step([1]);
        const { cert, key } = authorityOf(1).client(kubelet.organization, kubelet.commonName);
        give(`${cert}${key}`);
    });
    after(async () => {
        for (const authority of authorities) authority.remove();
        api?.reconnect();
        await manager?.stop();
        await server?.stop();
        rmSync(folder, { recursive: true });
    });

    it("only accepts the next list", async () => {
        assert.equal(await userOf(accessBy([1])), "kubernetes-admin");
        assert.equal(await userOf(accessBy([1, 2])), "kubernetes-admin");
        assert.match(await refusalOf([2, 1]), /a list that begins with a CA that kube-apiserver trusts/);
        assert.match(await refusalOf([2]), /a list with the CA of kube-apiserver's certificate/);
    });

    it("is first trusted by all: kubelets keep their certificates, and pods get both CAs", async () => {
        assert.match(identity(1, 2).lack()!, /not yet kubernetes-ca, kubernetes-ca-2/);
        await step([1, 2]);
        assert.equal(identity(1, 2).lack(), undefined);
        identity(1, 2).prepare();
        identity(1, 2).layAside();
        assert.equal(await userOf(kubeletAccess("kubeconfig")), kubelet.commonName);
        assert.equal(await userOf(accessBy([1])), "kubernetes-admin");
        assert.equal(await userOf(accessBy([2, 1])), "kubernetes-admin");
        assert.match(await refusalOf([2]), /a list with the CA of kube-apiserver's certificate/);
    });

    it("is reported by what runs: which components have it, what pods get, and which of them are older", async () => {
        const told = { kubernetesCa: [1, 2] };
        const annotations = keysAnnotations({ ...firstKeys, ...told })!;
        const inSystem = (name: string, app: string, more: object = {}) => ({
            metadata: { name, namespace: "kube-system", labels: { "k8s-app": app }, ...more },
            apiVersion: "v1",
            kind: "Pod",
        });
        const spec = {
            containers: [{ name: "a", image: "a" }],
            automountServiceAccountToken: false,
            nodeName: node,
        };
        const sources = [{ configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } }];
        await apply({ apiVersion: "v1", kind: "Node", metadata: { name: node } });
        await apply({ ...inSystem("manager", "kube-controller-manager", { annotations }), spec });
        await apply({ ...inSystem("agent", "node-agent"), spec });
        await apply({
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "reader", namespace: "default" },
            spec: { ...spec, volumes: [{ name: "api", projected: { sources } }] },
        });
        const facts = await runningCas(api);
        assert.deepEqual(
            [...facts.holders].sort((one, other) => one.name.localeCompare(other.name)),
            [
                { name: "the pod agent", keys: { kubernetesCa: [1] } },
                { name: "the pod manager", keys: { kubernetesCa: [1, 2] } },
            ],
        );
        assert.deepEqual(facts.unsettledNodes, [node]);
        const published = facts.published.find(({ namespace }) => namespace === "default")!;
        assert.deepEqual([...published.cas], ["kubernetes-ca", "kubernetes-ca-2"]);
        assert.deepEqual(
            facts.readers.map(({ namespace, workload }) => `${namespace} ${workload}`),
            ["default pod/reader"],
        );
        assert.ok(published.since <= facts.readers[0]!.created, "it was made after both were published");
        assert.deepEqual(readerProblems(told, facts, { kubernetesCa: [2, 1] }), []);
        const early = facts.readers.map((each) => ({
            ...each,
            created: published.since - 1,
            started: published.since,
        }));
        assert.equal(readerProblems(told, { ...facts, readers: early }, { kubernetesCa: [2, 1] }).length, 1);
        assert.match(caProblems(told, facts, { kubernetesCa: [2, 1] }).join(), /until the kubelet of c-a-0 has it/);
    });

    it("then issues: kubelets request another certificate with the one they have", async () => {
        await step([2, 1]);
        assert.equal(await userOf(kubeletAccess("kubeconfig")), kubelet.commonName);
        assert.equal(identity(2, 1).issuance(), "others");
        identity(2, 1).prepare();
        identity(2, 1).layAside();
        assert.equal(identity(2, 1).issuance(), "awaited");
        await bootstrap();
        assert.equal(identity(2, 1).issuance(), "desired");
        assert.equal(await userOf(kubeletAccess("kubeconfig")), kubelet.commonName);
        assert.equal(await userOf(accessBy([1, 2])), "kubernetes-admin");
        assert.equal(await userOf(accessBy([2])), "kubernetes-admin");
        assert.match(await refusalOf([1]), /unable to verify the first certificate|unable to get local issuer/);
    });

    it("finally is the only one: certificates of the other are no longer accepted", async () => {
        const before = kubeletAccess("bootstrap-kubeconfig");
        await step([2]);
        identity(2).prepare();
        assert.equal(readFileSync(path("pki/authorities.crt"), "utf8"), authorityOf(2).ca);
        assert.equal(await userOf(kubeletAccess("kubeconfig")), kubelet.commonName);
        assert.equal(await userOf(accessBy([2])), "kubernetes-admin");
        await assert.rejects(userOf(before), ({ status }: ApiError) => status === 401);
        await assert.rejects(userOf(accessBy([1, 2])), ({ status }: ApiError) => status === 401);
    });
});
