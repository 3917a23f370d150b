import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { commandLine } from "../../cluster/flags/check";
import { issuerDocuments, issuerFlags } from "../../cluster/keys/issuers";
import { resolveCluster } from "../../cluster/resolve";
import { tokenAudience } from "../../components/aws/iam/token-issuer";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { verifiedToken } from "../unit/verified-token";
import { ApiServer } from "./apiserver";
import { tokenOf } from "./service-account";

const url = "https://acme-issuer.s3.eu-central-1.amazonaws.com";

function keyPair() {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return {
        publicKey: publicKey.export({ type: "spki", format: "pem" }) as string,
        privateKey: privateKey.export({ type: "sec1", format: "pem" }) as string,
    };
}

describe("a public issuer of service account tokens, with a real API server,", function () {
    this.timeout(120_000);
    let api: ApiServer;
    const [first, second] = [keyPair(), keyPair()];

    /** Restarts the API as a cluster with these keys, of which the first one signs. */
    const become = (keys: readonly (typeof first)[], issuer?: { issuing: boolean }) => {
        const publicIssuer = issuer && { url, ...issuer };
        const cluster = resolveCluster({ name: "c", ...(publicIssuer && { publicIssuer }) });
        return api.replaceApi(
            {
                "service-account-key-file": {
                    name: "service-account.pub",
                    text: keys.map(({ publicKey }) => publicKey).join(""),
                },
                "service-account-signing-key-file": { name: "service-account.private", text: keys[0]!.privateKey },
            },
            commandLine(issuerFlags(cluster)),
        );
    };
    const documentsOf = (...keys: (typeof first)[]) =>
        issuerDocuments(url, keys.map(({ publicKey }) => publicKey).join(""));
    const forAws = () => tokenOf(api, "default", { audiences: [tokenAudience] });
    const isAccepted = async (token: string) => {
        const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
        const path = "/apis/authentication.k8s.io/v1/tokenreviews";
        const { status } = (await api.http.send({ method: "POST", path, body })) as unknown as {
            status: { authenticated?: boolean };
        };
        return status.authenticated ?? false;
    };
    /** In the media type that it has. */
    const served = async (path: string) => {
        const { server, ca, certificate, key } = connectionOf(api.kubeconfig, {});
        const [response] = (await once(get(`${server}/${path}`, { ca, cert: certificate, key }), "response")) as [
            IncomingMessage,
        ];
        return JSON.parse(await text(response));
    };

    before(async () => {
        api = await ApiServer.start();
        const account = {
            apiVersion: "v1",
            kind: "ServiceAccount",
            metadata: { name: "default", namespace: "kube-system" },
        };
        await api.cluster.apply(account as KubernetesObject, { fieldManager: "test", force: false });
    });
    after(() => api.stop());

    it("issues tokens that the published documents verify, which the API serves too", async () => {
        await become([first], { issuing: true });
        const documents = documentsOf(first);
        const claims = verifiedToken(await forAws(), documents, { issuer: url, audience: tokenAudience });
        assert.equal(claims.sub, "system:serviceaccount:kube-system:default");
        for (const [path, own] of Object.entries(documents)) assert.deepEqual(await served(path), JSON.parse(own));
    });

    it("keeps tokens of the cluster's own issuer valid, in both directions", async () => {
        await become([first]);
        const before = await tokenOf(api, "default");
        await become([first], { issuing: false });
        assert.equal(await isAccepted(before), true);
        await become([first], { issuing: true });
        assert.equal(await isAccepted(before), true);
        const after = await tokenOf(api, "default");
        assert.match(Buffer.from(after.split(".")[1]!, "base64url").toString(), new RegExp(`"iss":"${url}"`));
        await become([first], { issuing: false });
        assert.equal(await isAccepted(after), true);
        await become([first]);
        assert.equal(await isAccepted(after), false);
    });

    it("is not an issuer whose tokens for AWS open the API", async () => {
        await become([first], { issuing: true });
        assert.equal(await isAccepted(await forAws()), false);
    });

    it("publishes both keys during a rotation, so that tokens of either are verified", async () => {
        const expected = { issuer: url, audience: tokenAudience };
        await become([first, second], { issuing: true });
        const ofFirst = await forAws();
        await become([second, first], { issuing: true });
        const ofSecond = await forAws();
        for (const documents of [documentsOf(first, second), documentsOf(second, first)]) {
            verifiedToken(ofFirst, documents, expected);
            verifiedToken(ofSecond, documents, expected);
        }
        assert.throws(() => verifiedToken(ofSecond, documentsOf(first), expected), /no key/);
    });
});
