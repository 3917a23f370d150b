import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { request } from "node:https";
import { json } from "node:stream/consumers";
import { rewriteSecrets } from "../../agents/secrets-rewrite/rewrite";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { ApiError } from "../../clients/kubernetes/api-error";
import { keyProblems, rewriteProblems, tokenProblems } from "../../cluster/keys/changes";
import { encryptionKey } from "../../cluster/keys/encryption";
import { annotatedKeys, firstKeys, type KeyLists, keysAnnotations } from "../../cluster/keys/lists";
import { fieldManager } from "../../cluster/manifest";
import { credentialFiles } from "../../cluster/manifests/control-plane/secrets";
import { secretsRewriteJobName } from "../../cluster/manifests/control-plane/secrets-rewrite";
import { resolveCluster } from "../../cluster/resolve";
import { keyId, rewriteOf, runningKeys, tokenFacts } from "../../components/upgrade/key-guard";
import { appliedApiserver } from "../../components/upgrade/running";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fakeCredentials } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { EtcdAuthority } from "./etcd-join/certificates";

const pairs = [1, 2].map(() => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return {
        publicKey: publicKey.export({ type: "spki", format: "pem" }) as string,
        privateKey: privateKey.export({ type: "sec1", format: "pem" }) as string,
    };
});
const pairOf = (generation: number) => pairs[generation - 1]!;

const authorities = [new EtcdAuthority(), new EtcdAuthority()];
const authorityOf = (generation: number) => authorities[generation - 1]!;
/** The names of the proxies that forward requests, by CA. */
const proxies = authorities.map((each) => each.issue("front-proxy-client", { dnsNames: ["x"], ipAddresses: [] }));

/** Files of a cluster's kube-apiserver with these keys. */
function filesOf(keys: KeyLists): Record<string, string> {
    const cluster = resolveCluster({ name: "c", keys: keys as never });
    const { privateKey } = pairOf(keys.serviceAccount[0]!);
    const publicKey = keys.serviceAccount.map((each) => pairOf(each).publicKey).join("");
    return credentialFiles(cluster, "kube-apiserver", {
        ...fakeCredentials(cluster),
        serviceAccount: { publicKey, privateKey },
        frontProxyCa: { cert: keys.frontProxyCa.map((each) => authorityOf(each).ca).join(""), key: "" },
        encryptionKeys: { 1: encryptionKey("one"), 2: encryptionKey("two") },
    });
}

const metadata = { name: "kube-apiserver", namespace: "kube-system" };
const labels = { "k8s-app": "kube-apiserver" };
const containers = [{ name: "kube-apiserver", image: "registry.k8s.io/kube-apiserver:v1.36.3" }];

describe("a rotation of keys, step by step, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let server: ApiServer;
    let api: ApiClient;
    let url: string;
    let ca: string;
    let first: string;
    const secrets = "/api/v1/namespaces/default/secrets";

    const step = async (keys: KeyLists) => {
        const files = filesOf(keys);
        const named = (name: string) => ({ name, text: files[name]! });
        await server.replaceApi({
            "requestheader-client-ca-file": named("front-proxy-ca.crt"),
            "service-account-key-file": named("service-account.pub"),
            "service-account-signing-key-file": named("service-account.key"),
            ...("encryption.json" in files && { "encryption-provider-config": named("encryption.json") }),
        });
        api.reconnect();
    };
    const newToken = async () => {
        const path = "/api/v1/namespaces/default/serviceaccounts/robot/token";
        const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
        return (await api.call<{ status: { token: string } }>(path, { method: "POST", body })).status.token;
    };
    const signerOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()).kid;
    const userOf = async (token: string) => {
        const client = new ApiClient(url, () => ({ ca, token }));
        const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
        const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        try {
            const { status } = await client.call<{ status: { userInfo: { username: string } } }>(path, {
                method: "POST",
                body,
                isFresh: true,
            });
            return status.userInfo.username;
        } catch (error) {
            return (error as ApiError).status;
        }
    };
    /** The user that the API sees behind each CA's proxy, which claims to act for Alice. */
    const passedOn = () =>
        Promise.all(
            proxies.map(async (proxy) => {
                const sent = request(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
                    ...{ method: "POST", ca, ...proxy, agent: false },
                    headers: { "x-remote-user": "alice", "content-type": "application/json" },
                }).end(JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }));
                const [answer] = await once(sent, "response");
                const { status, code } = (await json(answer)) as { status: never; code?: number };
                return code ?? (status as { userInfo: { username: string } }).userInfo.username;
            }),
        );
    const hide = (name: string) =>
        api.call(secrets, { method: "POST", body: { metadata: { name }, stringData: { text: `hidden-${name}` } } });
    const observed = async (name: string) => {
        const { data } = await api.call<{ data: { text: string } }>(`${secrets}/${name}`);
        return Buffer.from(data.text, "base64").toString();
    };
    const stored = (name: string) => server.stored(`secrets/default/${name}`);
    const apply = (object: object) => server.cluster.apply(object as KubernetesObject, { fieldManager, force: false });
    const robot = "system:serviceaccount:default:robot";

    before(async () => {
        server = await ApiServer.start();
        const { server: address, credentials } = readKubeconfig(server.kubeconfig);
        url = address;
        ca = credentials.ca;
        api = new ApiClient(url, () => credentials);
        await step({ serviceAccount: [1], encryption: ["plain"], frontProxyCa: [1], etcdCa: [1], kubernetesCa: [1] });
        await apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: "default" } });
        first = await newToken();
        for (const name of ["a", "b", "c"]) await hide(name);
    });
    after(async () => {
        for (const authority of authorities) authority.remove();
        api?.reconnect();
        await server?.stop();
    });

    it("first accepts the new ones alongside those in use", async () => {
        assert.match(await stored("a"), /hidden-a/);
        assert.deepEqual(await passedOn(), ["alice", 401]);
        await step({
            serviceAccount: [1, 2],
            encryption: ["plain", 1],
            frontProxyCa: [1, 2],
            etcdCa: [1],
            kubernetesCa: [1],
        });
        assert.equal(await userOf(first), robot);
        assert.deepEqual(await passedOn(), ["alice", "alice"]);
        assert.equal(signerOf(await newToken()), keyId(pairOf(1).publicKey));
        await hide("d");
        assert.match(await stored("d"), /hidden-d/);
    });

    it("then uses them, while what the old ones signed and wrote is still valid", async () => {
        await step({
            serviceAccount: [2, 1],
            encryption: [1, "plain"],
            frontProxyCa: [2, 1],
            etcdCa: [1],
            kubernetesCa: [1],
        });
        const token = await newToken();
        assert.equal(signerOf(token), keyId(pairOf(2).publicKey));
        assert.deepEqual([await userOf(first), await userOf(token)], [robot, robot]);
        await hide("e");
        assert.match(await stored("e"), /^k8s:enc:secretbox:v1:key-1:/);
        assert.doesNotMatch(await stored("e"), /hidden/);
        assert.equal(await observed("a"), "hidden-a");
        assert.match(await stored("a"), /hidden-a/);
    });

    it("rewrites all Secrets, page by page, and each once", async () => {
        const versions = async () => {
            const { items } = await api.call<{ items: { metadata: { name: string; resourceVersion: string } }[] }>(
                secrets,
            );
            return items.map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`);
        };
        assert.equal(await rewriteSecrets(api, { apiServer: url, pageSize: 2 }), 5);
        for (const name of ["a", "b", "c", "d", "e"]) {
            assert.match(await stored(name), /^k8s:enc:secretbox:v1:key-1:/, name);
            assert.equal(await observed(name), `hidden-${name}`);
        }
        const before = await versions();
        assert.equal(await rewriteSecrets(api, { apiServer: url }), 5);
        assert.deepEqual(await versions(), before);
    });

    it("is reported by the stack's objects, and keeps a key while a token of it exists", async () => {
        const reported: KeyLists = {
            serviceAccount: [2, 1],
            encryption: [1, "plain"],
            frontProxyCa: [2, 1],
            etcdCa: [1],
            kubernetesCa: [1],
        };
        const annotations = keysAnnotations(reported)!;
        const desired: KeyLists = {
            serviceAccount: [2],
            encryption: [1],
            frontProxyCa: [2, 1],
            etcdCa: [1],
            kubernetesCa: [1],
        };
        await apply({
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata,
            spec: {
                selector: { matchLabels: labels },
                template: { metadata: { labels, annotations }, spec: { containers } },
            },
        });
        const spec = { containers, automountServiceAccountToken: false };
        await apply({ apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: "old", labels }, spec });
        const member = { name: "etcd-c-controller-0", namespace: "kube-system", labels: { "k8s-app": "etcd" } };
        const trust = keysAnnotations({ ...firstKeys, etcdCa: [1, 2] })!;
        await apply({ apiVersion: "v1", kind: "Pod", metadata: { ...member, annotations: trust }, spec });
        await apply({
            apiVersion: "v1",
            kind: "Secret",
            metadata: { ...metadata, annotations },
            stringData: { "service-account.pub": filesOf(reported)["service-account.pub"] },
        });
        await apply({
            apiVersion: "v1",
            kind: "Secret",
            metadata: {
                name: "lasting",
                namespace: "default",
                annotations: { "kubernetes.io/service-account.name": "robot" },
            },
            type: "kubernetes.io/service-account-token",
            stringData: { token: first },
        });

        assert.deepEqual(annotatedKeys((await appliedApiserver(api))?.annotations), reported);
        const running = await runningKeys(api, reported);
        assert.deepEqual(
            running.holders.map(({ name }) => name),
            ["the DaemonSet kube-apiserver", "the pod old", "the Secret kube-apiserver"],
        );
        assert.deepEqual(running.members, [{ name: "etcd-c-controller-0", etcdCa: [1, 2] }]);
        assert.deepEqual(keyProblems(running.holders, desired), [
            "keys.serviceAccount must be a list that begins with 1 while the pod old has [1]: 2 must be accepted everywhere before it is used (got [2]); set keys.serviceAccount to [1,2] first, and in later runs of pulumi up to [2,1] and [2]",
            'keys.encryption must be a list that begins with plain while the pod old has ["plain"]: 1 must be accepted everywhere before it is used (got [1]); set keys.encryption to ["plain",1] first, and in later runs of pulumi up to [1,"plain"] and [1]',
            "keys.frontProxyCa must be a list that begins with 1 while the pod old has [1]: 2 must be accepted everywhere before it is used (got [2,1])",
        ]);
        const facts = await tokenFacts(api, running, desired);
        const later = Date.now() + 3_600_000;
        assert.deepEqual(tokenProblems(facts, later), [
            "the Secret default/lasting has a token of key 1 that does not expire: delete or recreate it",
        ]);

        assert.equal(await rewriteOf(api, reported), "none");
        const job = { containers: [{ name: "a", image: "a" }], restartPolicy: "Never" };
        const name = secretsRewriteJobName(reported);
        await apply({
            apiVersion: "batch/v1",
            kind: "Job",
            metadata: { name, namespace: "kube-system" },
            spec: { template: { spec: job } },
        });
        const rewrites = { current: await rewriteOf(api, reported), desired: await rewriteOf(api, desired) };
        assert.deepEqual(rewriteProblems(reported, desired, rewrites), [
            'keys.encryption must be [1,"plain"] until all Secrets are rewritten with 1: run pulumi up with it first (got [1])',
        ]);
        await api.call(`${secrets}/lasting`, { method: "DELETE" });
    });

    it("finally leaves only the new ones: what the old ones signed is no longer accepted", async () => {
        const token = await newToken();
        await step({ serviceAccount: [2], encryption: [1], frontProxyCa: [2], etcdCa: [1], kubernetesCa: [1] });
        assert.deepEqual([await userOf(first), await userOf(token)], [401, robot]);
        assert.deepEqual(await passedOn(), [401, "alice"]);
        for (const name of ["a", "b", "c", "d", "e"]) assert.equal(await observed(name), `hidden-${name}`);
    });
});
