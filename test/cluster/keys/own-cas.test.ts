import assert from "node:assert/strict";
import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { GivenKind } from "../../../cluster/keys/lists";
import { ports } from "../../../cluster/network/ports";
import { describeLong } from "../../takes-long";
import { rootCa } from "../../unit/cluster/keys/own-cas";
import { issuedToKubelets, refusal, restartReaders, takeKubeconfig } from "../authority-steps";
import { TestCluster } from "../cluster";
import { controllerTargets } from "../rollout";
import { underProber } from "../under-prober";

const cluster = new TestCluster("ownca");
const nodes = [`${cluster.name}-controller-0`, `${cluster.name}-default-0`];
const cas = {
    kubernetesCa: rootCa("kubernetes-ca-2"),
    etcdCa: rootCa("our etcd"),
    frontProxyCa: rootCa("our proxies"),
};
const signer = rootCa("x").key;
const kinds: readonly GivenKind[] = ["kubernetesCa", "etcdCa", "frontProxyCa", "serviceAccount"];

/** PEM begins like an option: the line before it keeps it a value. */
const secret = (path: string, pem: string) =>
    cluster.pulumi("config", "set", "--secret", "--path", `tradewind:givenKeys.${path}`, `\n${pem}`);

async function giveAll(): Promise<void> {
    for (const [kind, { certificate, key }] of Object.entries(cas)) {
        await secret(`${kind}.2.certificate`, certificate);
        await secret(`${kind}.2.key`, key);
    }
    await secret("serviceAccount.2", signer);
}

async function setLists(...generations: number[]): Promise<void> {
    for (const kind of kinds) {
        await cluster.pulumi("config", "rm", "--path", `tradewind:keys.${kind}`).catch(() => {});
        for (const [index, generation] of generations.entries()) {
            const path = `tradewind:keys.${kind}[${index}]`;
            await cluster.pulumi("config", "set", "--path", path, String(generation), "--plaintext");
        }
    }
}

const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;

describeLong("a cluster that gets CAs of its user's own", function () {
    this.timeout(900_000);

    before(async function () {
        this.timeout(1_500_000);
        await cluster.start("--controllers", "1", "--workers", "1", "--yes");
        await giveAll();
    });
    after(() => cluster.destroy());

    const up = (what: string) =>
        underProber(
            cluster,
            what,
            () => controllerTargets(cluster, nodes[0]!),
            () => cluster.pulumi("up", "--yes", "--skip-preview"),
        );

    it("refuses one in place of that in use", async () => {
        await secret("etcdCa.1.certificate", cas.etcdCa.certificate);
        await secret("etcdCa.1.key", cas.etcdCa.key);
        await cluster.pulumi("config", "rm", "--path", "tradewind:givenKeys.etcdCa.2");
        await setLists(1);
        for (const kind of ["kubernetesCa.2", "frontProxyCa.2", "serviceAccount.2"]) {
            assert.match(
                await refusal(cluster),
                /a key of keys\.given\.\w+ must be in keys\.\w+, which is \[1\] \(got 2\)/,
            );
            await cluster.pulumi("config", "rm", "--path", `tradewind:givenKeys.${kind}`);
        }
        assert.match(
            await refusal(cluster),
            /generation 1 of keys\.etcdCa must be the one that is in use, created by the stack: give another key as another generation \(got [0-9a-f]{64}\)/,
        );
        await cluster.pulumi("config", "rm", "tradewind:givenKeys");
        await giveAll();
    });

    it("trusts them, without a failed request", async () => {
        await setLists(1, 2);
        await up("both are trusted");
        await takeKubeconfig(cluster);
    });

    it("has all certificates issued and all tokens signed by them", async () => {
        await setLists(2, 1);
        await restartReaders(cluster);
        await up("they issue");
        await takeKubeconfig(cluster);
        assert.deepEqual(await issuedToKubelets(cluster, nodes), ["kubernetes-ca-2", "kubernetes-ca-2"]);
        const token = await cluster.kubectl("create", "token", "default");
        const { kid } = JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString());
        const own = createPublicKey(signer).export({ type: "spki", format: "der" });
        assert.equal(kid, createHash("sha256").update(own).digest("base64url"));
        const { host } = (await controllerTargets(cluster, nodes[0]!))[0]!;
        const served = await new Promise<string>((resolve, reject) => {
            const socket = connect({ host, port: ports.etcdClient, rejectUnauthorized: false }, () => {
                resolve(socket.getPeerX509Certificate()!.toString());
                socket.destroy();
            });
            socket.once("error", reject);
        });
        assert.ok(new X509Certificate(served).verify(new X509Certificate(cas.etcdCa.certificate).publicKey));
    });

    it("trusts nothing else in the end, and a preview is empty", async () => {
        await setLists(2);
        await cluster.pulumi("config", "set", "--path", "tradewind:upgradeOverrides[0]", "tokens", "--plaintext");
        await up("only they are trusted");
        await takeKubeconfig(cluster);
        const { data } = await cluster.get<{ data: Record<string, string> }>("configmap/kube-root-ca.crt");
        assert.equal(fingerprint(data["ca.crt"]!), fingerprint(cas.kubernetesCa.certificate));
        assert.equal(data["ca.crt"]!.match(/BEGIN/g)!.length, 1);
        const { data: proxies } = await cluster.get<{ data: Record<string, string> }>(
            ...["configmap/extension-apiserver-authentication", "-n", "kube-system"],
        );
        assert.ok(proxies["requestheader-client-ca-file"]!.includes(cas.frontProxyCa.certificate.trim()));
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
