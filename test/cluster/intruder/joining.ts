import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKubeconfig } from "../../../clients/kubernetes/api-client";
import { kubeconfig } from "../../../cluster/kubeconfig";
import { paths } from "../../../cluster/paths";
import { request } from "../../../simulator/plugins/tls/cert-request";
import { kubectl, readText, type TestCluster } from "../cluster";

const signerName = "kubernetes.io/kube-apiserver-client-kubelet";

/** A machine's bootstrap token, as root reads it there. */
export async function tokenOn(cluster: TestCluster, machine: string): Promise<string> {
    const { users } = JSON.parse(await cluster.exec(machine, `cat ${paths.bootstrapKubeconfig}`));
    return users[0].user.token;
}

/** A kubeconfig file with which the host accesses the API with a token. */
export function kubeconfigBy(cluster: TestCluster, token: string): string {
    const { server, credentials } = readKubeconfig(readText(cluster.kubeconfig));
    const text = kubeconfig({
        cluster: cluster.name,
        server,
        ca: credentials.ca,
        user: "intruder",
        credentials: { token },
    });
    const path = join(mkdtempSync(join(tmpdir(), "intruder-")), "kubeconfig");
    writeFileSync(path, text, { mode: 0o600 });
    return path;
}

/** Requests a certificate like a node, with its own key. @returns the request's name */
export async function askToBe(path: string, node: string, organization?: string): Promise<string> {
    return askFor(path, `system:node:${node}`, organization);
}

export async function askFor(path: string, commonName: string, organization = "system:nodes"): Promise<string> {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = request({ commonName, organization }, { dnsNames: [], ipAddresses: [], uris: [] }, privateKey);
    const name = `intruder-${randomBytes(4).toString("hex")}`;
    const manifest = {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
            request: Buffer.from(pem).toString("base64"),
            signerName,
            usages: ["digital signature", "client auth"],
        },
    };
    const file = join(mkdtempSync(join(tmpdir(), "intruder-")), "request.json");
    writeFileSync(file, JSON.stringify(manifest));
    await kubectl(path, "create", "-f", file);
    return name;
}

interface SigningRequest {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly username: string; readonly signerName: string };
    readonly status?: {
        readonly certificate?: string;
        readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
    };
}

/** The decisions about requests: their conditions, and whether they have a certificate. */
export async function answersTo(cluster: TestCluster, names: readonly string[]): Promise<Record<string, string>> {
    const { items } = await cluster.get<{ items: SigningRequest[] }>("certificatesigningrequests");
    return Object.fromEntries(
        names.map((name) => {
            const { status = {} } = items.find(({ metadata }) => metadata.name === name) ?? {};
            const conditions = (status.conditions ?? []).map(({ type }) => type);
            return [name, [...conditions, ...(status.certificate ? ["issued"] : [])].join(", ")];
        }),
    );
}

/** Asserts that none of the requests has been decided. */
export async function assertLeft(cluster: TestCluster, requests: Readonly<Record<string, string>>): Promise<void> {
    const answers = await answersTo(cluster, Object.values(requests));
    const found = Object.entries(requests).map(([what, name]) => [what, answers[name]]);
    assert.deepEqual(
        Object.fromEntries(found),
        Object.fromEntries(Object.keys(requests).map((what) => [what, ""])),
        "an intruder's request was answered",
    );
}

export async function forget(cluster: TestCluster, names: readonly string[]): Promise<void> {
    await cluster.kubectl("delete", "certificatesigningrequests", "--ignore-not-found", ...names);
}
