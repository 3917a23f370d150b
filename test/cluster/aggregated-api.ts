import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { images } from "../../versions/images";
import { Authority } from "../unit/agents/boot/receiver/authority";
import type { TestCluster } from "./cluster";

const name = "aggregated";
const group = "test.tradewind.dev";

/** Path under which kube-apiserver serves it. */
export const aggregatedPath = `/apis/${group}/v1`;

/**
 * Admits clients of the CAs that the cluster publishes for APIs behind kube-apiserver, like metrics-server, and returns
 * the client's certificate.
 */
const program = `
const { createServer } = require("node:https");
const { readFileSync } = require("node:fs");
const { SSL_OP_NO_TICKET: secureOptions } = require("node:constants");
const { CERT: cert, KEY: key, KUBERNETES_SERVICE_HOST: host } = process.env;
const published = "https://" + host + "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
const discovery = { kind: "APIResourceList", apiVersion: "v1", groupVersion: "${group}/v1", resources: [] };
const options = { cert, key, secureOptions };
const server = createServer({ ...options, requestCert: true, rejectUnauthorized: false }, ({ socket, url }, answer) => {
    const { subject, raw } = socket.getPeerCertificate();
    if (!socket.authorized || subject.CN !== "front-proxy-client") {
        console.log(url, socket.authorizationError, subject?.CN);
        answer.writeHead(401).end();
        return;
    }
    answer.writeHead(200, { "content-type": "application/json" });
    answer.write(JSON.stringify({ ...discovery, client: raw.toString("base64") }));
    setTimeout(() => answer.end(), url.includes("watch=true") ? 2_000 : 0);
});
let known;
async function trust() {
    const token = readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/token", "utf8");
    const answer = await fetch(published, { headers: { authorization: "Bearer " + token } });
    const ca = (await answer.json()).data["requestheader-client-ca-file"];
    if (ca === known) return;
    server.setSecureContext({ ...options, ca });
    if (known === undefined) server.listen(8443);
    known = ca;
}
setInterval(() => trust().catch((error) => console.log(error.message)), 1_000);
`;

/** Creates an API behind kube-apiserver, and waits until it responds. */
export async function makeAggregatedApi(cluster: TestCluster): Promise<void> {
    const authority = new Authority("aggregated-ca");
    const { cert, key } = authority.server(`${name}.default.svc`);
    const caBundle = Buffer.from(authority.ca).toString("base64");
    authority.remove();
    const labels = { app: name };
    const metadata = { name, namespace: "default" };
    const account = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
    const env = Object.entries({ CERT: cert, KEY: key, NODE_EXTRA_CA_CERTS: account }).map(([each, value]) => ({
        name: each,
        value,
    }));
    const readinessProbe = { tcpSocket: { port: 8443 }, periodSeconds: 1 };
    const container = { name, image: images.node, command: ["node", "-e", program], env, readinessProbe };
    const role = {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "Role",
        name: "extension-apiserver-authentication-reader",
    };
    const service = { name, namespace: "default" };
    await cluster.apply({
        apiVersion: "v1",
        kind: "List",
        items: [
            { apiVersion: "v1", kind: "ServiceAccount", metadata },
            {
                apiVersion: "rbac.authorization.k8s.io/v1",
                kind: "RoleBinding",
                metadata: { name, namespace: "kube-system" },
                roleRef: role,
                subjects: [{ kind: "ServiceAccount", ...service }],
            },
            {
                apiVersion: "v1",
                kind: "Pod",
                metadata: { ...metadata, labels },
                spec: { serviceAccountName: name, terminationGracePeriodSeconds: 0, containers: [container] },
            },
            {
                apiVersion: "v1",
                kind: "Service",
                metadata,
                spec: { selector: labels, ports: [{ port: 443, targetPort: 8443 }] },
            },
            {
                apiVersion: "apiregistration.k8s.io/v1",
                kind: "APIService",
                metadata: { name: `v1.${group}` },
                spec: { group, version: "v1", caBundle, service, groupPriorityMinimum: 100, versionPriority: 100 },
            },
        ],
    });
    await cluster.kubectl("wait", "--for=condition=Ready", `pod/${name}`, "--timeout=60s");
    await cluster.kubectl("wait", "--for=condition=Available", `apiservice/v1.${group}`, "--timeout=60s");
}

/** The certificates that the cluster publishes for such APIs. */
export async function publishedAuthorities(cluster: TestCluster): Promise<X509Certificate[]> {
    const name = "configmap/extension-apiserver-authentication";
    const { data } = await cluster.get<{ data: Record<string, string> }>("-n", "kube-system", name);
    return data["requestheader-client-ca-file"]!.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g)!.map(
        (pem) => new X509Certificate(pem),
    );
}

/** Serial number of the CA that issued kube-apiserver's client certificate: they all have the same name. */
export async function frontProxyIssuer(cluster: TestCluster): Promise<string> {
    const { client } = JSON.parse(await cluster.kubectl("get", "--raw", aggregatedPath));
    const certificate = new X509Certificate(Buffer.from(client, "base64"));
    const issuers = (await publishedAuthorities(cluster)).filter(({ publicKey }) => certificate.verify(publicKey));
    assert.equal(issuers.length, 1, "one of the published CAs");
    return issuers[0]!.serialNumber;
}

export async function removeAggregatedApi(cluster: TestCluster): Promise<void> {
    await cluster.kubectl("delete", "--ignore-not-found", `apiservice/v1.${group}`);
    const own = ["pod", "service", "serviceaccount"].map((kind) => `${kind}/${name}`);
    await cluster.kubectl("delete", "--ignore-not-found", ...own);
    await cluster.kubectl("-n", "kube-system", "delete", "--ignore-not-found", `rolebinding/${name}`);
}
